//! Does the steps of a task as an agent would: by what the tools show, and by the advice that they give.

use super::eye;
use super::target::Target;
use super::task::Step;
use crate::base64;
use crate::client::Client;
use crate::judge::Judge;
use crate::reply::{Element, Reply};
use crate::wait::within_time;
use serde_json::{Value, json};
use std::time::Duration;

/// How long an agent looks for what it expects to come.
const PATIENCE: Duration = Duration::from_secs(15);
/// How often an agent does what it was told is safe to do again.
const TRIES: usize = 3;

#[derive(Debug)]
pub struct Agent<'a> {
    pub client: &'a mut Client,
    pub judge: &'a mut Judge,
    pub tab: i64,
    /// What was called and how it ended, for a failure's report.
    pub trail: Vec<String>,
}

impl Agent<'_> {
    /// # Errors
    /// Why the step could not be done.
    pub fn take(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Point(action, target) => {
                self.act(target, "computer", &json!({"action": action})).map(drop)
            }
            Step::Set(target, value) => {
                self.act(target, "form_input", &json!({"value": value})).map(drop)
            }
            Step::Type(text) => self.done("computer", json!({"action": "type", "text": text})),
            Step::Key(times, chords) => {
                self.done("computer", json!({"action": "key", "text": chords, "repeat": times}))
            }
            Step::Drag(from, to) => self.drag(from, to),
            Step::Scroll { direction, over, until } => self.scroll(direction, over, until),
            Step::Upload(target, name, text) => {
                let data = base64::encode(text.as_bytes());
                let file = json!({"name": name, "mimeType": "text/plain", "data": data});
                self.act(target, "file_upload", &json!({"files": [file]})).map(drop)
            }
            Step::See(text) => self.see(text),
            Step::Dialog(action, text) => {
                let mut arguments = json!({"action": action});
                if !text.is_empty() {
                    arguments["text"] = json!(text);
                }
                self.done("dialog", arguments)
            }
            Step::Tab(title) => self.turn_to(title),
        }
    }

    pub fn call(&mut self, tool: &str, mut arguments: Value) -> Reply {
        arguments["tabId"] = json!(self.tab);
        let shown = arguments.to_string();
        let reply = self.client.call(tool, arguments);
        let words: String = reply.words().chars().take(600).collect();
        self.trail.push(format!("{tool} {shown}\n    {}", words.replace('\n', "\n    ")));
        reply
    }

    fn done(&mut self, tool: &str, arguments: Value) -> Result<(), String> {
        let reply = self.call(tool, arguments);
        reply.is_success().then_some(()).ok_or_else(|| format!("{tool}: {}", reply.words()))
    }

    /// Does something to a target, and again when a refusal says that this is safe.
    fn act(&mut self, target: &Target, tool: &str, arguments: &Value) -> Result<Reply, String> {
        self.repeat(tool, |agent| {
            let mut arguments = arguments.clone();
            agent.locate(target)?.put(&mut arguments, "ref", "coordinate");
            Ok(arguments)
        })
    }

    fn drag(&mut self, from: &Target, to: &Target) -> Result<(), String> {
        let dragged = self.repeat("computer", |agent| {
            let mut arguments = json!({"action": "left_click_drag"});
            agent.locate(from)?.put(&mut arguments, "start_ref", "start_coordinate");
            agent.locate(to)?.put(&mut arguments, "ref", "coordinate");
            Ok(arguments)
        });
        dragged.map(drop)
    }

    fn repeat(
        &mut self,
        tool: &str,
        mut arguments: impl FnMut(&mut Self) -> Result<Value, String>,
    ) -> Result<Reply, String> {
        let mut last = String::new();
        for _ in 0..TRIES {
            let arguments = arguments(self)?;
            let reply = self.call(tool, arguments);
            if reply.is_success() {
                return Ok(reply);
            }
            last = reply.words().to_owned();
            // A stale reference is refused before anything is sent; the target is looked for anew.
            if !last.contains("Retry: safe") && !last.contains("Retry: not with this reference") {
                break;
            }
        }
        Err(format!("{tool}: {last}"))
    }

    fn locate(&mut self, target: &Target) -> Result<Place, String> {
        let found = within_time(PATIENCE, || match target {
            Target::Colour { .. } => {
                let shot = self.call("computer", json!({"action": "screenshot"}));
                eye::place(self.judge, shot.images.first()?, target).map(Place::Pixel)
            }
            Target::Named { .. } => {
                self.look(target).map(|element| Place::Element(element.reference))
            }
        });
        found.ok_or_else(|| format!("not to be found: {target:?}"))
    }

    /// Reads the page, then searches it.
    fn look(&mut self, target: &Target) -> Option<Element> {
        let mut shown = self.call("read_page", json!({"filter": "all"})).elements();
        if let (Target::Named { name: Some(name), .. }, None) = (target, target.exactly(&shown)) {
            shown.extend(self.call("find", json!({"query": name})).elements());
        }
        target.among(&shown).cloned()
    }

    fn scroll(&mut self, direction: &str, over: &Target, until: &Target) -> Result<(), String> {
        for _ in 0..40 {
            if self.look(until).is_some() {
                return Ok(());
            }
            let wheel =
                json!({"action": "scroll", "scroll_direction": direction, "scroll_amount": 5});
            self.act(over, "computer", &wheel)?;
        }
        Err(format!("no {until:?} after scrolling"))
    }

    fn see(&mut self, text: &str) -> Result<(), String> {
        self.done("wait_for", json!({"text": text, "state": "visible"}))?;
        let read = self.call("get_page_text", json!({})).text.contains(text);
        read.then_some(()).ok_or_else(|| format!("{text:?} is not to be read"))
    }

    fn turn_to(&mut self, title: &str) -> Result<(), String> {
        let found = within_time(PATIENCE, || {
            let listed = self.client.call("tabs_context_mcp", json!({})).structured;
            let tabs = listed["tabs"].as_array().cloned().unwrap_or_default();
            let named = |tab: &&Value| tab["title"].as_str().is_some_and(|t| t.contains(title));
            tabs.iter().find(named).and_then(|tab| tab["tabId"].as_i64())
        });
        self.tab = found.ok_or_else(|| format!("no tab is called {title:?}"))?;
        Ok(())
    }
}

#[derive(Debug)]
enum Place {
    Element(String),
    Pixel([i64; 2]),
}

impl Place {
    fn put(self, arguments: &mut Value, reference: &str, coordinate: &str) {
        match self {
            Self::Element(element) => arguments[reference] = json!(element),
            Self::Pixel(at) => arguments[coordinate] = json!(at),
        }
    }
}
