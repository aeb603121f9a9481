//! One request of a page, from its start over its redirects to its end.

use super::log::Weighed;
use crate::redact::redacted;

/// Names and values; the values of secret ones are not here.
pub(crate) type Headers = Vec<(String, String)>;

/// All but the numbers a page could choose; secrets are taken out of addresses already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NetworkLine {
    /// Ours; never given again in this tab.
    pub(crate) number: u64,
    /// The browser's id, kept over redirects.
    pub(crate) request: String,
    /// The renderer whose frame asked, where that is one of its own.
    pub(crate) session: Option<String>,
    pub(crate) kind: String,
    pub(crate) asked: Hop,
    /// Where it was sent on from: each with the status that did it.
    pub(crate) hops: Vec<(Hop, u16)>,
    pub(crate) has_body: bool,
    pub(crate) head: Option<Head>,
    pub(crate) cached: bool,
    pub(crate) end: Option<End>,
    /// Milliseconds on the browser's clock, from any moment.
    pub(crate) started: Option<i64>,
    pub(crate) ended: Option<i64>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Hop {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: Headers,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) mime: String,
    /// `cache`, `service worker` or `prefetch` where it did not come from the network.
    pub(crate) from: String,
    pub(crate) headers: Headers,
    pub(crate) at: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Done { bytes: u64 },
    Failed { error: String, canceled: bool },
}

/// How a request starts.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    pub(crate) kind: String,
    pub(crate) hop: Hop,
    pub(crate) has_body: bool,
    pub(crate) at: Option<i64>,
    pub(crate) session: Option<String>,
}

/// What was seen of a request.
#[derive(Debug)]
pub(crate) enum Seen {
    Start(Asked),
    Redirect { status: u16, to: Hop },
    Head(Head, Option<String>),
    Cached,
    End(End, Option<i64>),
}

/// Browsers follow twenty; a hostile one shall not fill the memory.
const HOPS: usize = 20;

impl Hop {
    pub(crate) fn new(method: String, url: &str, headers: Headers) -> Self {
        Self { method, url: redacted(url), headers }
    }

    fn bytes(&self) -> usize {
        self.method.len() + self.url.len() + bytes(&self.headers)
    }
}

fn bytes(headers: &Headers) -> usize {
    headers.iter().map(|(name, value)| name.len() + value.len() + 48).sum()
}

impl NetworkLine {
    pub(super) fn new(number: u64, request: &str, asked: Asked) -> Self {
        Self {
            number,
            request: request.into(),
            session: asked.session,
            kind: asked.kind,
            asked: asked.hop,
            hops: Vec::new(),
            has_body: asked.has_body,
            head: None,
            cached: false,
            end: None,
            started: asked.at,
            ended: None,
        }
    }

    pub(super) fn take(&mut self, seen: Seen) {
        match seen {
            Seen::Start(_) => {}
            Seen::Redirect { status, to } => {
                let mut from = std::mem::replace(&mut self.asked, to);
                from.headers = Headers::new();
                if self.hops.len() < HOPS {
                    self.hops.push((from, status));
                }
            }
            Seen::Head(head, session) => {
                self.session = session;
                self.head = Some(head);
            }
            Seen::Cached => self.cached = true,
            Seen::End(end, at) => (self.end, self.ended) = (Some(end), at),
        }
    }

    /// Of data and code; what else a page loads changes nothing that is told.
    pub(crate) fn awaits(&self) -> Awaits {
        match self.kind.as_str() {
            _ if self.end.is_some() => Awaits::Nothing,
            "Fetch" if self.head.is_some() => Awaits::Body,
            "XHR" | "Fetch" | "Script" | "Document" => Awaits::Answer,
            _ => Awaits::Nothing,
        }
    }

    /// The first address, as it was asked for.
    pub(crate) fn first(&self) -> &Hop {
        self.hops.first().map_or(&self.asked, |(hop, _)| hop)
    }

    /// Milliseconds from the start to `moment`.
    pub(crate) fn after(&self, moment: Option<i64>) -> Option<i64> {
        Some(moment?.saturating_sub(self.started?).max(0))
    }
}

/// What has not arrived of a request, by how long it is worth waiting for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Awaits {
    Nothing,
    /// It is answered. The body of a `fetch` comes to its end only if the page reads it.
    Body,
    Answer,
}

impl Weighed for NetworkLine {
    fn bytes(&self) -> usize {
        let hops: usize = self.hops.iter().map(|(hop, _)| 96 + hop.bytes()).sum();
        let head = self.head.as_ref().map_or(0, |head| head.mime.len() + bytes(&head.headers));
        320 + self.request.len() + self.kind.len() + self.asked.bytes() + hops + head
    }
}
