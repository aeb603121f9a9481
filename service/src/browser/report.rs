//! The items of an extension's events, one by one; an unknown item is skipped alone.

use crate::tab::observed::{ConsoleLine, NetworkEnd, NetworkLine, Observed};
use crate::tab::{Dialog, LoadState, TabEvent};
use ghostlight_transport::browser_wire::{Doc, Tab};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(tag = "k", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Item {
    Tab(TabItem),
    Doc {
        doc: Doc,
        #[serde(default)]
        main: bool,
        #[serde(default)]
        same_document: bool,
    },
    Load {
        tab_id: i64,
        loader_id: String,
        state: String,
    },
    Dialog(DialogItem),
    Detach {},
    Download {
        tab_id: i64,
    },
    Chooser {
        tab_id: i64,
        #[serde(default)]
        frame_id: String,
        backend_node_id: i64,
        #[serde(default)]
        multiple: bool,
    },
    Control {
        what: String,
        #[serde(default)]
        by: String,
    },
    Request(Requested),
    Console {
        tab_id: i64,
        level: String,
        text: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum TabItem {
    Updated { tab: Tab },
    Removed { tab_id: i64 },
    Replaced { tab_id: i64, old_tab_id: i64 },
    Adopted(Adopted),
    Released { tab_id: i64 },
}

#[derive(Debug, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum DialogItem {
    Opened {
        tab_id: i64,
        #[serde(rename = "type", default)]
        kind: String,
        #[serde(default)]
        message: String,
        #[serde(default)]
        default_prompt: Option<String>,
    },
    Closed {
        tab_id: i64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Requested {
    tab_id: i64,
    request_id: String,
    what: What,
    #[serde(default)]
    kind: String,
    #[serde(default)]
    method: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    status: u16,
    #[serde(default)]
    error: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum What {
    Start,
    Done,
    Failed,
}

impl Requested {
    /// Into the tab's log. No event: a page has so many that they would push out all others.
    pub(crate) fn note(self, observed: &mut Observed) {
        let Self { request_id: request, kind, method, url, status, error, .. } = self;
        match self.what {
            What::Start => observed.asked(NetworkLine { request, kind, method, url, end: None }),
            What::Done => observed.ended(&request, NetworkEnd::Status(status)),
            What::Failed => observed.ended(&request, NetworkEnd::Failed(error)),
        }
    }
}

/// The extension gave a tab to a workspace without our asking.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Adopted {
    pub(crate) tab: Tab,
    #[serde(default)]
    pub(crate) doc: Option<Doc>,
    pub(crate) key: String,
    /// The tab that opened it; none when the person offered it.
    #[serde(default)]
    pub(crate) opener_tab_id: Option<i64>,
}

/// One item as the registry takes it.
#[derive(Debug)]
pub(crate) enum Report {
    Event { native: i64, event: TabEvent },
    Described(Tab),
    Gone { native: i64 },
    Replaced { native: i64, old: i64 },
    Request { native: i64, asked: Box<Requested> },
    Console { native: i64, line: ConsoleLine },
    Adopted(Box<Adopted>),
    Control { what: String, by: String },
    Nothing,
}

impl Report {
    /// `None` for an item that is not one of the agreed.
    pub(crate) fn read(item: Value) -> Option<Self> {
        Some(match serde_json::from_value(item).ok()? {
            Item::Tab(item) => tab(item),
            Item::Doc { doc, main, same_document } => Self::Event {
                native: doc.tab_id,
                event: TabEvent::Document { doc, main, same_document },
            },
            Item::Load { tab_id, loader_id, state } => {
                let state = match state.as_str() {
                    "dom" => LoadState::Dom,
                    "load" => LoadState::Load,
                    _ => return None,
                };
                Self::Event { native: tab_id, event: TabEvent::Load { loader_id, state } }
            }
            Item::Dialog(item) => dialog(item),
            // The tab stays adopted; the next command attaches again.
            Item::Detach { .. } => Self::Nothing,
            Item::Download { tab_id } => Self::Event { native: tab_id, event: TabEvent::Download },
            Item::Chooser { tab_id, frame_id, backend_node_id, multiple } => Self::Event {
                native: tab_id,
                event: TabEvent::Chooser { frame_id, backend_node_id, multiple },
            },
            Item::Control { what, by } => Self::Control { what, by },
            Item::Request(asked) => Self::Request { native: asked.tab_id, asked: Box::new(asked) },
            Item::Console { tab_id, level, text } => {
                Self::Console { native: tab_id, line: ConsoleLine { level, text } }
            }
        })
    }
}

fn tab(item: TabItem) -> Report {
    match item {
        TabItem::Updated { tab } => Report::Described(tab),
        TabItem::Removed { tab_id } | TabItem::Released { tab_id } => {
            Report::Gone { native: tab_id }
        }
        TabItem::Replaced { tab_id, old_tab_id } => {
            Report::Replaced { native: tab_id, old: old_tab_id }
        }
        TabItem::Adopted(adopted) => Report::Adopted(Box::new(adopted)),
    }
}

fn dialog(item: DialogItem) -> Report {
    let (native, dialog) = match item {
        DialogItem::Opened { tab_id, kind, message, default_prompt } => {
            (tab_id, Some(Dialog { kind, message, default: default_prompt }))
        }
        DialogItem::Closed { tab_id } => (tab_id, None),
    };
    Report::Event { native, event: TabEvent::Dialog(dialog) }
}
