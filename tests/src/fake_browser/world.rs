//! What the fake browser is at the moment: its names, tabs, rules and everything it was told.

use super::twist::{Rule, Twist};
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Debug)]
pub struct World {
    pub profile: String,
    pub run: String,
    pub worker: u64,
    pub latch: &'static str,
    pub proto: (u32, u32),
    pub tabs: BTreeMap<i64, FakeTab>,
    pub rules: Vec<Rule>,
    /// Everything the service asked, in order.
    pub requests: Vec<Value>,
    pub cancelled: Vec<Value>,
    pub acknowledged: Vec<Value>,
    /// The last of our events that the service says it has taken in.
    pub heard: u64,
    pub refusals: Vec<Value>,
    /// Messages that the wire's description does not know.
    pub unknown: Vec<Value>,
    /// The last `welcome`.
    pub welcomed: Value,
    /// Results kept back by [`Twist::Hold`].
    pub held: Vec<Value>,
    pub(super) welcomes: usize,
    pub(super) welcomes_awaited: usize,
    last_event: u64,
    documents: u64,
}

#[derive(Debug, Clone)]
pub struct FakeTab {
    pub native: i64,
    pub key: String,
    pub url: String,
    pub title: String,
    pub loader: String,
}

impl Default for World {
    fn default() -> Self {
        Self {
            profile: "profile-1".to_owned(),
            run: "run-1".to_owned(),
            worker: 1,
            latch: "running",
            proto: (1, 1),
            tabs: BTreeMap::new(),
            rules: Vec::new(),
            requests: Vec::new(),
            cancelled: Vec::new(),
            acknowledged: Vec::new(),
            heard: 0,
            refusals: Vec::new(),
            unknown: Vec::new(),
            welcomed: Value::Null,
            held: Vec::new(),
            welcomes: 0,
            welcomes_awaited: 0,
            last_event: 0,
            documents: 0,
        }
    }
}

impl World {
    /// A browser whose extension knows these versions of the wire.
    #[must_use]
    pub fn speaking(proto: (u32, u32)) -> Self {
        Self { proto, ..Self::default() }
    }

    /// A browser whose person has said this before it came.
    #[must_use]
    pub fn latched(latch: &'static str) -> Self {
        Self { latch, ..Self::default() }
    }

    /// A browser of another profile, with tabs of its own numbers.
    #[must_use]
    pub fn of_profile(profile: &str) -> Self {
        Self { profile: profile.to_owned(), ..Self::default() }
    }

    #[must_use]
    pub fn worker_id(&self) -> String {
        format!("{}-worker-{}", self.run, self.worker)
    }

    #[must_use]
    pub fn hello(&self) -> Value {
        let tabs: Vec<_> = self.tabs.values().map(FakeTab::adopted).collect();
        json!({
            "t": "hello", "proto": {"min": self.proto.0, "max": self.proto.1},
            "ext": {"version": "0.0.1"},
            "browser": {"name": "Fake", "version": "1.0", "os": "linux"},
            "profileId": self.profile, "runId": self.run, "workerId": self.worker_id(),
            "latch": self.latch, "tabs": tabs, "pending": [],
        })
    }

    pub(super) fn new_worker(&mut self) -> Value {
        self.worker += 1;
        self.last_event = 0;
        self.hello()
    }

    pub(super) fn welcome(&mut self, message: Value) {
        self.welcomed = message;
        self.welcomes += 1;
    }

    pub(super) fn acknowledge(&mut self, message: &Value) {
        let results = message["res"].as_array().into_iter().flatten();
        self.acknowledged.extend(results.cloned());
        self.heard = self.heard.max(message["ev"].as_u64().unwrap_or(0));
    }

    pub(super) fn event(&mut self, items: Vec<Value>) -> Value {
        self.last_event += 1;
        json!({"t": "ev", "seq": self.last_event, "items": items, "dropped": 0})
    }

    pub(super) fn twist_for(&mut self, request: &Value) -> Option<Twist> {
        let at = self.rules.iter().position(|rule| rule.fits(request))?;
        if self.rules[at].once {
            return Some(self.rules.remove(at).twist);
        }
        Some(self.rules[at].twist.clone())
    }

    /// A new background tab for a workspace's key.
    pub fn open(&mut self, key: &str) -> FakeTab {
        let native = self.tabs.keys().next_back().map_or(101, |last| last + 1);
        let mut tab = FakeTab {
            native,
            key: key.to_owned(),
            url: "about:blank".to_owned(),
            title: String::new(),
            loader: String::new(),
        };
        self.commit(&mut tab, "about:blank");
        tab
    }

    /// A tab gets a new document.
    pub fn commit(&mut self, tab: &mut FakeTab, url: &str) {
        self.documents += 1;
        tab.loader = format!("loader-{}", self.documents);
        url.clone_into(&mut tab.url);
        tab.title = if url == "about:blank" { String::new() } else { format!("Title of {url}") };
        self.tabs.insert(tab.native, tab.clone());
    }
}

impl FakeTab {
    #[must_use]
    pub fn tab(&self) -> Value {
        json!({
            "tabId": self.native, "windowId": 1, "groupId": 7, "url": self.url,
            "title": self.title, "active": false, "status": "complete", "discarded": false,
        })
    }

    #[must_use]
    pub fn doc(&self) -> Value {
        json!({
            "tabId": self.native, "frameId": self.frame(), "loaderId": self.loader,
            "origin": origin(&self.url), "url": self.url, "unreachable": false,
        })
    }

    #[must_use]
    pub fn frame(&self) -> String {
        format!("frame-{}", self.native)
    }

    /// As `hello` lists it.
    #[must_use]
    pub fn adopted(&self) -> Value {
        let mut tab = self.listed();
        tab["key"] = json!(self.key);
        tab
    }

    /// As `tab.list` lists it.
    #[must_use]
    pub fn listed(&self) -> Value {
        let mut tab = self.tab();
        tab["doc"] = self.doc();
        tab
    }
}

fn origin(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            format!("{scheme}://{}", rest.split('/').next().unwrap_or_default())
        }
        None => "null".to_owned(),
    }
}
