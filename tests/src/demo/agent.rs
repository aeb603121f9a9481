//! The MCP client's part: it knows the wishes and the words, and uses only references it was given.

use super::booking::{CONFIRM, Control, GO_ON, WISHES, Wish};
use super::report::Report;
use crate::client::Client;
use crate::reply::{Element, Picture, Reply};
use serde_json::{Value, json};

/// What the client has at the end.
#[derive(Debug)]
pub struct Journey {
    /// The text of the last page.
    pub text: String,
    pub picture: Picture,
}

#[derive(Debug)]
pub struct Agent<'a> {
    client: &'a mut Client,
    report: &'a mut Report,
    tab: i64,
}

impl<'a> Agent<'a> {
    /// Opens the session, looks at the tools and opens a tab.
    ///
    /// # Errors
    /// What went wrong, in words.
    pub fn start(client: &'a mut Client, report: &'a mut Report) -> Result<Self, String> {
        let opened = client.initialize();
        report.say(&format!("initialize → {}", opened["protocolVersion"]));
        let listed = client.request("tools/list", json!({}));
        let tools = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
        let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        report.say(&format!("tools/list → {}", names.join(", ")));
        let mut agent = Self { client, report, tab: 0 };
        agent.tab = agent.call("tabs_create_mcp", json!({}))?.tab_id();
        Ok(agent)
    }

    /// # Errors
    /// What went wrong, in words.
    pub fn book(mut self, url: &str) -> Result<Journey, String> {
        self.on_tab("navigate", json!({"url": url}))?;
        let page = self.on_tab("read_page", json!({"filter": "all"}))?.elements();
        for wish in WISHES {
            let element = named(&page, wish.words)?;
            self.fulfil(wish, &element)?;
        }
        let go_on = self.find(GO_ON)?;
        self.click(&go_on)?;
        // The button to confirm was not on the page before: it has to be looked for now.
        let confirm = self.find(CONFIRM)?;
        self.click(&confirm)?;
        let text = self.on_tab("get_page_text", json!({}))?.text;
        let shot = self.on_tab("computer", json!({"action": "screenshot"}))?;
        let picture = shot.images.into_iter().next().ok_or("the screenshot holds no picture")?;
        Ok(Journey { text, picture })
    }

    fn fulfil(&mut self, wish: &Wish, element: &Element) -> Result<(), String> {
        let value = match wish.control {
            Control::Text => {
                self.click(&element.reference)?;
                self.on_tab("computer", json!({"action": "type", "text": wish.value}))?;
                return Ok(());
            }
            Control::Number => json!(wish.value.parse::<u32>().unwrap_or_default()),
            Control::Tick => json!(true),
            Control::Choice(_) | Control::Lines => json!(wish.value),
        };
        self.on_tab("form_input", json!({"ref": element.reference, "value": value}))?;
        Ok(())
    }

    fn click(&mut self, reference: &str) -> Result<(), String> {
        self.on_tab("computer", json!({"action": "left_click", "ref": reference}))?;
        Ok(())
    }

    /// Asks the page for each of the words until one names something.
    fn find(&mut self, words: &[&str]) -> Result<String, String> {
        for word in words {
            let found = self.on_tab("find", json!({"query": word}))?.elements();
            if let Ok(element) = named(&found, words) {
                return Ok(element.reference);
            }
        }
        Err(format!("nothing on the page is called any of {words:?}"))
    }

    fn on_tab(&mut self, tool: &str, mut arguments: Value) -> Result<Reply, String> {
        arguments["tabId"] = json!(self.tab);
        self.call(tool, arguments)
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Result<Reply, String> {
        self.report.call(tool, &arguments);
        let reply = self.client.call(tool, arguments);
        self.report.reply(&reply);
        match reply.is_success() {
            true => Ok(reply),
            false => Err(format!("{tool} was refused: {}", reply.words())),
        }
    }
}

/// The control that one of the words names.
fn named(page: &[Element], words: &[&str]) -> Result<Element, String> {
    let is_control = |role: &str| !matches!(role, "generic" | "label" | "text" | "LabelText");
    let mut controls = page.iter().filter(|element| is_control(&element.role));
    let found = controls.find(|element| words.contains(&element.name.trim()));
    found.cloned().ok_or_else(|| format!("the page names no control any of {words:?}"))
}
