//! The seam between a tool and the browser: one request, one answer.

use crate::tab::RequestFault;
use crate::tab::record::TabRecord;
use ghostlight_transport::browser_wire::{Doc, Tab};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::time::Duration;

/// One command for the browser, on behalf of one call.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) params: Box<RawValue>,
    /// The tab in `params`, by the browser's own id.
    pub(crate) tab: Option<i64>,
    pub(crate) effect: bool,
    pub(crate) within: Duration,
}

pub(crate) type Answer = Pin<Box<dyn Future<Output = Result<Box<RawValue>, RequestFault>>>>;

/// One call's way to one browser, under its workspace's key.
pub(crate) trait Wire: fmt::Debug {
    /// Checks the call's right to go on when first polled, sends at most once, and always ends.
    fn request(&self, request: Request) -> Answer;

    /// The browser's number among all that were seen.
    fn slot(&self) -> u32;

    /// The tab's record if the call's workspace owns the tab.
    fn owned(&self, native: i64) -> Option<Rc<RefCell<TabRecord>>>;

    /// An answer that had not the agreed shape.
    fn malformed(&self);
}

/// What `tab.open` answers, as far as ownership and results follow it.
#[derive(Deserialize)]
pub(crate) struct Opened {
    pub(crate) tab: Tab,
    #[serde(default)]
    pub(crate) doc: Option<Doc>,
}

/// What `tab.list` answers.
#[derive(Deserialize)]
pub(crate) struct Listed {
    pub(crate) tabs: Vec<Tab>,
}
