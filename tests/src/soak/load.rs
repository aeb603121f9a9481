//! One client of the soak: mixed calls on pages of its own until the time is over.

use crate::client::{Client, Revision};
use crate::cut::End;
use crate::demo::chance::Chance;
use crate::home::Home;
use crate::reply::Reply;
use crate::site::Site;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The caller's own deadline is a minute; whoever hears nothing by then was forgotten.
const FORGOTTEN: Duration = Duration::from_secs(75);
/// Of so many rounds, one kills the client's own edge in the middle of a click.
const EDGE_KILLS: usize = 40;

/// One click on a page that was loaded for it.
#[derive(Debug)]
pub struct Click {
    pub page: String,
    pub end: End,
    pub words: String,
}

#[derive(Debug, Default)]
pub struct Load {
    pub calls: Vec<(&'static str, End)>,
    pub clicks: Vec<Click>,
    pub unanswered: Vec<String>,
    /// The last answer of each tool that says neither what was done nor that nothing was.
    pub unclear: BTreeMap<&'static str, String>,
    pub edges_killed: u64,
}

pub struct Runner<'a> {
    home: &'a Home,
    site: &'a Site,
    name: usize,
    revision: Revision,
    client: Client,
    chance: Chance,
    tab: Option<i64>,
    load: Load,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runner").field("name", &self.name).finish_non_exhaustive()
    }
}

impl<'a> Runner<'a> {
    #[must_use]
    pub fn new(home: &'a Home, site: &'a Site, name: usize) -> Self {
        let revision =
            if name.is_multiple_of(2) { Revision::November2025 } else { Revision::July2026 };
        let client = begin(home, revision);
        let chance = Chance::new(name as u64);
        Self { home, site, name, revision, client, chance, tab: None, load: Load::default() }
    }

    /// Works until the time is over, then ends as a client does.
    #[must_use]
    pub fn run(mut self, until: Instant) -> Load {
        let mut round = 0;
        while Instant::now() < until {
            round += 1;
            self.round(round);
        }
        self.client.close();
        self.client.process.ended();
        self.load
    }

    fn round(&mut self, round: usize) {
        let Some(tab) = self.tab.or_else(|| self.open()) else { return };
        let page = format!("?who={}-{round}", self.name);
        let url = self.site.url(&format!("/{page}"));
        let gone = self.call("navigate", json!({"tabId": tab, "url": url}));
        if !gone.is_some_and(|reply| reply.is_success()) {
            // Whatever it was: the next round has a tab of its own.
            self.tab = None;
            return;
        }
        for _ in 0..self.chance.below(4) {
            self.look(tab);
        }
        let Some(found) = self.call("find", json!({"tabId": tab, "query": "Press"})) else {
            return;
        };
        if let Some(button) = found.elements().first() {
            self.click(tab, page, &button.reference);
        }
    }

    fn open(&mut self) -> Option<i64> {
        let reply = self.call("tabs_create_mcp", json!({}))?;
        if !reply.is_success() {
            // A lost workspace of the 2026 revision is replaced by a new one.
            self.client.workspace = None;
            return None;
        }
        if self.revision == Revision::July2026 {
            self.client.workspace = reply.structured["workspaceId"].as_str().map(str::to_owned);
        }
        self.tab = reply.structured["tabId"].as_i64();
        self.tab
    }

    fn look(&mut self, tab: i64) {
        let (tool, arguments) = match self.chance.below(6) {
            0 => ("read_page", json!({"tabId": tab, "filter": "all"})),
            1 => ("get_page_text", json!({"tabId": tab})),
            2 => ("computer", json!({"tabId": tab, "action": "screenshot"})),
            3 => {
                // A coordinate is one of a picture.
                self.call("computer", json!({"tabId": tab, "action": "screenshot"}));
                let mut arguments = json!({"tabId": tab, "action": "scroll"});
                arguments["scroll_direction"] = json!("down");
                arguments["coordinate"] = json!([100, 100]);
                ("computer", arguments)
            }
            // In the 2026 revision only what uses a workspace may name one.
            4 if self.revision == Revision::November2025 => ("explain", json!({})),
            _ => ("tabs_context_mcp", json!({})),
        };
        self.call(tool, arguments);
    }

    fn click(&mut self, tab: i64, page: String, reference: &str) {
        let arguments = json!({"tabId": tab, "action": "left_click", "ref": reference});
        let id = self.client.ask_tool("computer", arguments);
        if self.chance.below(EDGE_KILLS) == 0 {
            self.client.process.kill();
            self.client = begin(self.home, self.revision);
            (self.tab, self.load.edges_killed) = (None, self.load.edges_killed + 1);
            self.load.clicks.push(Click { page, end: End::NoAnswer, words: String::new() });
            return;
        }
        let Some(answer) = self.answer(id, "click") else { return };
        let (end, words) = End::of(Some(answer));
        self.load.calls.push(("click", end));
        self.load.clicks.push(Click { page, end, words });
    }

    fn call(&mut self, tool: &'static str, arguments: Value) -> Option<Reply> {
        let id = self.client.ask_tool(tool, arguments);
        let answer = self.answer(id, tool)?;
        let (end, words) = End::of(Some(answer.clone()));
        if end == End::Unclear {
            self.load.unclear.insert(tool, words);
        }
        self.load.calls.push((tool, end));
        Some(Reply::read(answer))
    }

    fn answer(&mut self, id: u64, tool: &str) -> Option<Value> {
        let named = |message: &Value| message["id"] == id && message.get("method").is_none();
        let answer = self.client.take_within(FORGOTTEN, named);
        self.client.transcript.clear();
        if answer.is_none() {
            self.load.unanswered.push(format!("client {}: {tool}", self.name));
        }
        answer
    }
}

fn begin(home: &Home, revision: Revision) -> Client {
    let mut client = Client::start(home, revision);
    if revision == Revision::November2025 {
        client.initialize();
    }
    client
}
