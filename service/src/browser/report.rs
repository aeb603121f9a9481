//! The items of an extension's events, one by one; an unknown item is skipped alone.

use crate::tab::observed::{Asked, ConsoleLine, End, Head, Hop, Observed, Seen};
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
        #[serde(default)]
        frame_id: String,
        loader_id: String,
        state: String,
    },
    Dialog(DialogItem),
    Detach {
        tab_id: i64,
    },
    Download {
        tab_id: i64,
    },
    Opening {
        tab_id: i64,
        #[serde(default)]
        failed: bool,
    },
    Chooser {
        tab_id: i64,
        #[serde(default)]
        frame_id: String,
        backend_node_id: i64,
    },
    Control {
        what: String,
        #[serde(default)]
        by: String,
    },
    Request(Requested),
    Console(Said),
    Lost {
        tab_id: i64,
        console: u64,
        request: u64,
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

/// One event about a request; which members it has is for `what` to say.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub(crate) struct Requested {
    tab_id: i64,
    request_id: String,
    what: String,
    session: Option<String>,
    at: Option<i64>,
    kind: String,
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    sent: bool,
    status: u16,
    mime: String,
    from: String,
    bytes: f64,
    error: String,
    canceled: bool,
    why: String,
}

impl Requested {
    /// Into the tab's log. No event: a page has so many that they would push out all others.
    pub(crate) fn note(self, observed: &mut Observed) {
        let request = self.request_id.clone();
        if let Some(seen) = self.seen() {
            observed.noted(&request, seen);
        }
    }

    fn seen(self) -> Option<Seen> {
        let Self { session, at, kind, headers, status, mime, from, .. } = self;
        Some(match self.what.as_str() {
            "start" => {
                let hop = Hop::new(self.method, &self.url, headers);
                Seen::Start(Asked { kind, hop, has_body: self.sent, at, session })
            }
            "redirect" => Seen::Redirect { status, to: Hop::new(self.method, &self.url, headers) },
            "head" => Seen::Head(Head { status, mime, from, headers, at }, session),
            "cached" => Seen::Cached,
            "done" => Seen::End(End::Done { bytes: self.bytes as u64 }, at),
            "failed" => {
                let why =
                    if self.why.is_empty() { String::new() } else { format!(" ({})", self.why) };
                let error = format!("{}{why}", self.error);
                Seen::End(End::Failed { error, canceled: self.canceled }, at)
            }
            _ => return None,
        })
    }
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Said {
    tab_id: i64,
    level: String,
    text: String,
    #[serde(default)]
    source: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
}

impl Said {
    fn line(self) -> ConsoleLine {
        let mut line =
            ConsoleLine::new(self.level, &self.text).at(&self.url, self.line, self.column);
        line.source = self.source;
        line
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
    Event {
        native: i64,
        event: TabEvent,
    },
    Described(Tab),
    Gone {
        native: i64,
    },
    Replaced {
        native: i64,
        old: i64,
    },
    Request {
        native: i64,
        asked: Box<Requested>,
    },
    Console {
        native: i64,
        line: Box<ConsoleLine>,
    },
    /// Lines and requests that never came here.
    Lost {
        native: i64,
        console: u64,
        requests: u64,
    },
    /// The browser is not listened to for a while.
    Deaf {
        native: i64,
    },
    Adopted(Box<Adopted>),
    Control {
        what: String,
        by: String,
    },
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
            Item::Load { tab_id, frame_id, state, .. } if state == "stop" => {
                Self::Event { native: tab_id, event: TabEvent::Stopped { frame_id } }
            }
            Item::Load { tab_id, loader_id, state, .. } => {
                let state = match state.as_str() {
                    "dom" => LoadState::Dom,
                    "load" => LoadState::Load,
                    _ => return None,
                };
                Self::Event { native: tab_id, event: TabEvent::Load { loader_id, state } }
            }
            Item::Dialog(item) => dialog(item),
            // The tab stays adopted; the next command attaches again.
            Item::Detach { tab_id } => Self::Deaf { native: tab_id },
            Item::Download { tab_id } => Self::Event { native: tab_id, event: TabEvent::Download },
            Item::Opening { tab_id, failed } => {
                Self::Event { native: tab_id, event: TabEvent::Opening { failed } }
            }
            Item::Chooser { tab_id, frame_id, backend_node_id } => Self::Event {
                native: tab_id,
                event: TabEvent::Chooser { frame_id, backend_node_id },
            },
            Item::Control { what, by } => Self::Control { what, by },
            Item::Request(asked) => Self::Request { native: asked.tab_id, asked: Box::new(asked) },
            Item::Console(said) => {
                Self::Console { native: said.tab_id, line: Box::new(said.line()) }
            }
            Item::Lost { tab_id, console, request } => {
                Self::Lost { native: tab_id, console, requests: request }
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
