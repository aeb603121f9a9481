//! What a tool is to the service: a record in the catalog, and a function from one call to one reply.

use crate::tab::OwnedTab;
use crate::topology::Topology;
use ghostlight_transport::bridge::{Disposition, Hints, WorkspaceUse};
use serde_json::{Map, Value};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// One row of the catalog.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// JSON Schema texts, root `type: object`.
    pub(crate) input: &'static str,
    pub(crate) output: Option<&'static str>,
    pub(crate) hints: Hints,
    pub(crate) workspace: WorkspaceUse,
    pub(crate) lane: Lane,
    /// Whether these arguments, already valid, ask for an effect: then an intent is recorded first.
    pub(crate) effect: fn(&Map<String, Value>) -> bool,
    pub(crate) run: Run,
}

pub(crate) type Run = fn(Call) -> Pin<Box<dyn Future<Output = Result<Reply, Failure>>>>;

/// Which key of the scheduler a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lane {
    /// None: ends inside the service.
    Local,
    /// The workspace's set of tabs in one browser.
    Topology,
    /// One tab. The call has a `tabId` and gets it as an [`OwnedTab`].
    Surface,
    /// The same without waiting for a turn: it frees what another call holds.
    Beside,
    /// A whole browser: excludes every tab of it.
    Browser,
}

/// One call, past validation, ownership and the scheduler.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) arguments: Map<String, Value>,
    pub(crate) target: Target,
}

#[derive(Debug)]
pub(crate) enum Target {
    /// [`Lane::Local`]
    None,
    /// [`Lane::Topology`]
    Workspace(Topology),
    /// [`Lane::Surface`], [`Lane::Beside`] and [`Lane::Browser`]
    Tab(OwnedTab),
}

/// A tool's success. The pipeline wraps what came from a page and adds nothing else.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) parts: Vec<Part>,
    /// Root is an object; conforms to the tool's output schema.
    pub(crate) structured: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// The service's own words: nothing a page could choose.
    Own(String),
    /// Text with anything from a page in it, and the origin by the browser's word.
    Page { origin: String, text: String },
    /// `data` is base64.
    Image { mime: String, data: String },
}

/// How a call ended other than by success. `own` names cause, whether a retry is safe and the next
/// step; `page` holds anything a page could choose and is wrapped like a result's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) disposition: Disposition,
    pub(crate) own: String,
    pub(crate) page: Option<(String, String)>,
}

impl Failure {
    /// A known failure of the tool.
    pub(crate) fn tool(own: impl Into<String>) -> Self {
        Self { disposition: Disposition::ToolFailure, own: own.into(), page: None }
    }

    /// Nothing was sent.
    pub(crate) fn not_dispatched(own: impl Into<String>) -> Self {
        Self { disposition: Disposition::NotDispatched, own: own.into(), page: None }
    }

    /// An effect may have happened.
    pub(crate) fn unknown(own: impl Into<String>) -> Self {
        Self { disposition: Disposition::OutcomeUnknown, own: own.into(), page: None }
    }

    pub(crate) fn with_page(mut self, origin: impl Into<String>, text: impl Into<String>) -> Self {
        self.page = Some((origin.into(), text.into()));
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.own)
    }
}
