//! The items of an extension's events, one by one; an unknown item is skipped alone.

use crate::tab::observed::{Asked, ConsoleLine, End, Head, Hop, Observed, Seen};
use crate::tab::{Dialog, LoadState, TabEvent};
use ghostlight_transport::browser_wire::{Doc, Tab};
use ghostlight_transport::json;
use serde::Deserialize;
use serde_json::Value;

/// What an item may say of a tab; which members it has is for its kind to say.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Item {
    tab_id: Option<i64>,
    old_tab_id: Option<i64>,
    tab: Option<Tab>,
    doc: Option<Doc>,
    main: bool,
    same_document: bool,
    frame_id: String,
    loader_id: String,
    state: String,
    what: String,
    by: String,
    #[serde(rename = "type")]
    kind: String,
    message: String,
    default_prompt: Option<String>,
    failed: bool,
    backend_node_id: Option<i64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lost {
    tab_id: i64,
    console: u64,
    request: u64,
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
        let kind = item.get("k")?.as_str()?.to_owned();
        match kind.as_str() {
            "request" => {
                let asked: Box<Requested> = json::shaped(item).ok()?;
                Some(Self::Request { native: asked.tab_id, asked })
            }
            "console" => {
                let said: Said = json::shaped(item).ok()?;
                Some(Self::Console { native: said.tab_id, line: Box::new(said.line()) })
            }
            "lost" => {
                let Lost { tab_id, console, request } = json::shaped(item).ok()?;
                Some(Self::Lost { native: tab_id, console, requests: request })
            }
            "tab" if item.get("what").is_some_and(|what| what == "adopted") => {
                json::shaped(item).ok().map(Self::Adopted)
            }
            "tab" => json::shaped::<Item>(item).ok()?.tab(),
            "control" => {
                json::shaped(item).ok().map(|Item { what, by, .. }| Self::Control { what, by })
            }
            // The tab stays adopted; the next command attaches again.
            "detach" => Some(Self::Deaf { native: json::shaped::<Item>(item).ok()?.tab_id? }),
            kind => json::shaped::<Item>(item).ok()?.event(kind),
        }
    }
}

impl Item {
    fn tab(self) -> Option<Report> {
        Some(match self.what.as_str() {
            "updated" => Report::Described(self.tab?),
            "removed" | "released" => Report::Gone { native: self.tab_id? },
            "replaced" => Report::Replaced { native: self.tab_id?, old: self.old_tab_id? },
            _ => return None,
        })
    }

    fn event(self, kind: &str) -> Option<Report> {
        let native = self.doc.as_ref().map(|doc| doc.tab_id).or(self.tab_id)?;
        let event = match (kind, self.state.as_str(), self.what.as_str()) {
            ("doc", ..) => {
                let (main, same_document) = (self.main, self.same_document);
                TabEvent::Document { doc: self.doc?, main, same_document }
            }
            ("load", "stop", _) => TabEvent::Stopped { frame_id: self.frame_id },
            ("load", "dom", _) => {
                TabEvent::Load { loader_id: self.loader_id, state: LoadState::Dom }
            }
            ("load", "load", _) => {
                TabEvent::Load { loader_id: self.loader_id, state: LoadState::Load }
            }
            ("dialog", _, "opened") => {
                let Self { kind, message, default_prompt: default, .. } = self;
                TabEvent::Dialog(Some(Dialog { kind, message, default }))
            }
            ("dialog", _, "closed") => TabEvent::Dialog(None),
            ("download", ..) => TabEvent::Download,
            ("opening", ..) => TabEvent::Opening { failed: self.failed },
            ("chooser", ..) => TabEvent::Chooser {
                frame_id: self.frame_id,
                backend_node_id: self.backend_node_id?,
            },
            _ => return None,
        };
        Some(Report::Event { native, event })
    }
}
