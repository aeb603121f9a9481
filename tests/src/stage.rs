//! A whole scene: home, site, real Chromium, and a client whose tab is on the site's first page.

use crate::chromium::Chromium;
use crate::client::Client;
use crate::home::Home;
use crate::reply::{Element, Reply};
use crate::site::Site;
use crate::wait::{LONG, until};
use serde_json::{Value, json};

/// The parts end in this order.
#[derive(Debug)]
pub struct Stage {
    pub client: Client,
    pub chromium: Chromium,
    pub site: Site,
    pub home: Home,
    pub tab: i64,
}

impl Stage {
    /// A site of one page, open in the client's tab.
    pub fn on(html: &str) -> Self {
        let site = Site::of(html);
        Self::of(site)
    }

    /// A site whose `/` is open in the client's tab.
    pub fn of(site: Site) -> Self {
        let home = Home::new();
        let chromium = Chromium::start(&home);
        let mut client = Client::connected(&home);
        let tab = client.open_page(&site.url("/"));
        Self { client, chromium, site, home, tab }
    }

    fn arguments(&self, mut arguments: Value) -> Value {
        arguments["tabId"] = json!(self.tab);
        arguments
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Reply {
        let arguments = self.arguments(arguments);
        self.client.call(tool, arguments)
    }

    pub fn succeed(&mut self, tool: &str, arguments: Value) -> Reply {
        let arguments = self.arguments(arguments);
        self.client.succeed(tool, arguments)
    }

    /// The text of a refusal.
    pub fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let arguments = self.arguments(arguments);
        self.client.refused(tool, arguments)
    }

    pub fn go(&mut self, path: &str) -> Reply {
        let url = self.site.url(path);
        self.succeed("navigate", json!({"url": url}))
    }

    pub fn read(&mut self) -> Reply {
        self.succeed("read_page", json!({"filter": "all"}))
    }

    /// The best element that a search gives, once there is one: frames come after their page.
    ///
    /// # Panics
    /// When it gives none in time.
    pub fn find(&mut self, query: &str) -> Element {
        until(query, LONG, || {
            let reply = self.succeed("find", json!({"query": query}));
            reply.elements().into_iter().next()
        })
    }

    /// Clicks the best element that a search gives.
    pub fn click(&mut self, query: &str) -> Reply {
        let reference = self.find(query).reference;
        self.succeed("computer", json!({"action": "left_click", "ref": reference}))
    }

    /// What the page says by the judge's word.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let url = self.site.url("/");
        self.chromium.judge.evaluate(&url, expression)
    }
}
