//! A workspace's set of tabs in one browser, for the tools that list and open them.

use crate::tab::{OwnedTab, RequestFault, composite};
use crate::wire::{Listed, Opened, Request, Wire};
use crate::work::Work;
use ghostlight_transport::browser_wire::{Doc, FaultCode, Tab};
use ghostlight_transport::json;
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use std::rc::Rc;

#[derive(Debug)]
pub(crate) struct Topology {
    wire: Rc<dyn Wire>,
    work: Rc<Work>,
    group: Group,
    group_id: i64,
    browser: Option<String>,
}

/// The workspace's visible tab group: presentation only.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Group {
    pub(crate) title: String,
    pub(crate) color: String,
}

/// A tab as the model sees it.
#[derive(Debug, Clone)]
pub(crate) struct ListedTab {
    pub(crate) id: i64,
    pub(crate) tab: Tab,
    pub(crate) origin: String,
}

impl Topology {
    /// `identity` is the group's number for the model and the browser's label where several are there.
    pub(crate) fn new(
        wire: Rc<dyn Wire>,
        work: Rc<Work>,
        group: Group,
        identity: (i64, Option<String>),
    ) -> Self {
        Self { wire, work, group, group_id: identity.0, browser: identity.1 }
    }

    /// Fresh from the browser, only this workspace's. The registry follows it.
    pub(crate) async fn list(&self) -> Result<Vec<ListedTab>, RequestFault> {
        let listed: Listed = self.ask("tab.list", serde_json::json!({}), false).await?;
        let mine = listed.tabs.into_iter().filter(|row| self.wire.owned(row.tab_id).is_some());
        let listed = mine.map(|mut tab| {
            let doc = tab.doc.take();
            self.listed(tab, doc)
        });
        Ok(listed.collect())
    }

    /// Opens and adopts a background tab in the workspace's group; owned before this returns.
    pub(crate) async fn open(&self) -> Result<(ListedTab, OwnedTab), RequestFault> {
        let params = serde_json::json!({ "group": self.group });
        let opened: Opened = self.ask("tab.open", params, true).await?;
        let Some(record) = self.wire.owned(opened.tab.tab_id) else {
            let gone = "the new tab was closed at once";
            return Err(RequestFault {
                sent: true,
                ..RequestFault::unsent(FaultCode::TabClosed, gone)
            });
        };
        let tab = OwnedTab::new(Rc::clone(&self.wire), Rc::clone(&self.work), record);
        Ok((self.listed(opened.tab, opened.doc), tab))
    }

    /// Ours, stable per workspace: shown as `mcpGroupId`.
    pub(crate) fn group_id(&self) -> i64 {
        self.group_id
    }

    /// The browser this workspace is bound to, as a label for results when several are connected.
    pub(crate) fn browser_label(&self) -> Option<String> {
        self.browser.clone()
    }

    fn listed(&self, tab: Tab, doc: Option<Doc>) -> ListedTab {
        let id = composite(self.wire.slot(), tab.tab_id);
        ListedTab { id, tab, origin: doc.map(|doc| doc.origin).unwrap_or_default() }
    }

    async fn ask<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: serde_json::Value,
        effect: bool,
    ) -> Result<R, RequestFault> {
        let params: Box<RawValue> = to_raw_value(&params)
            .map_err(|_| RequestFault::unsent(FaultCode::BadRequest, "unfit parameters"))?;
        let request = Request { method, params, tab: None, effect, within: BROWSER_REQUEST };
        let answer = self.wire.request(request).await?;
        json::parsed(&answer).and_then(json::shaped).map_err(|_| {
            self.wire.malformed();
            RequestFault::lost(FaultCode::Internal, "the answer has not the agreed shape", effect)
        })
    }
}
