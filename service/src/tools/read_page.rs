//! `read_page`: the page as lines of elements and text, its frames inlined, with references to act on.

use super::frame::{self, Frame};
use super::get_page_text::characters;
use super::refusals::refused;
use super::{READS, aim, no_effect};
use crate::page::answers::{Line, Page, Snapshot};
use crate::render::{Printed, changes, element, quoted, tree};
use crate::tab::OwnedTab;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::limits::FRAMES_READ;
use serde::Deserialize;
use serde_json::{Value, json};
use std::future::Future;
use std::pin::Pin;

pub(crate) const ROW: Tool = Tool {
    name: "read_page",
    title: "Read Page Structure",
    description: "The page as an indented tree: role, name, reference, states, value; text in its place; frames and open \
        shadow roots included. References (ref_12) are for computer, form_input and ref_id, and hold until the document \
        is replaced. A long page is cut where max_chars ends and says how to read on.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId"],"properties":{
"tabId":{"type":"number"},
"filter":{"type":"string","enum":["interactive","all"],"description":"interactive: only what can be acted on and is in the viewport; default all"},
"depth":{"type":"number","minimum":1,"description":"Levels of the tree, default 15"},
"ref_id":{"type":"string","description":"Read only below this element, or go on where a reading was cut"},
"max_chars":{"type":"number","minimum":1,"description":"Default 50000"},
"diff":{"type":"boolean","description":"Only what changed since the last reading of this tab"}}}"#,
    output: None,
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Arguments {
    filter: Option<String>,
    depth: Option<f64>,
    ref_id: Option<String>,
    max_chars: Option<f64>,
    diff: bool,
}

/// The last reading that was given of a tab.
#[derive(Debug)]
pub(crate) struct LastRead {
    loader: String,
    scope: String,
    lines: Vec<Printed>,
}

/// A reading as it grows.
struct Reading<'t> {
    tab: &'t OwnedTab,
    filter: String,
    depth: usize,
    left: usize,
    frames: Option<Vec<Frame>>,
    frames_read: usize,
    out: Vec<String>,
    printed: Vec<Printed>,
    notes: Vec<String>,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let mut reading = Reading::new(&tab, &arguments);
    let (frame, snapshot) = match &arguments.ref_id {
        Some(reference) => {
            let aim = aim::element(&tab, reference).await?;
            let answer = aim.frame.ask(&tab, "snapshot", reading.args(Some(aim.key))).await;
            let snapshot: Snapshot = answer.map_err(|fault| refused(fault, &aim.label, &tab))?;
            (aim.frame, snapshot)
        }
        None => {
            let answer = frame::ask_main(&tab, "snapshot", reading.args(None)).await;
            answer.map_err(|fault| refused(fault, "the page", &tab))?
        }
    };
    reading.take(&frame, &snapshot, 0).await;
    Ok(reading.reply(&frame, &snapshot.page, &arguments))
}

impl<'t> Reading<'t> {
    fn new(tab: &'t OwnedTab, arguments: &Arguments) -> Self {
        Self {
            tab,
            filter: arguments.filter.clone().unwrap_or_else(|| "all".into()),
            depth: arguments.depth.map_or(15, |depth| (depth as usize).clamp(1, 100)),
            left: characters(arguments.max_chars),
            frames: None,
            frames_read: 0,
            out: Vec::new(),
            printed: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn args(&self, root: Option<u64>) -> Value {
        let mut options =
            json!({ "filter": self.filter, "depth": self.depth, "maxChars": self.left });
        if let Some(root) = root {
            options["root"] = root.into();
        }
        json!([options])
    }

    /// The lines of one frame, and of those inside of it where they stand.
    fn take<'r>(
        &'r mut self,
        frame: &'r Frame,
        snapshot: &'r Snapshot,
        base: usize,
    ) -> Pin<Box<dyn Future<Output = ()> + 'r>> {
        Box::pin(async move {
            self.frames_read += 1;
            for line in &snapshot.lines {
                self.line(frame, line, base);
                if let Some(index) = line.frame {
                    self.inner(frame, index, base + line.depth + 1).await;
                }
            }
            self.ends(frame, snapshot);
        })
    }

    fn line(&mut self, frame: &Frame, line: &Line, base: usize) {
        let number = line.key.map(|key| self.number(frame, key));
        let reference = number.map(|number| format!("ref_{number}"));
        let lines = tree(line, base, reference.as_deref());
        self.left =
            self.left.saturating_sub(lines.iter().map(|line| line.chars().count() + 1).sum());
        self.printed.push(Printed { number, text: element(line, reference.as_deref()) });
        self.printed.extend(
            lines[1..].iter().map(|line| Printed { number: None, text: line.trim_start().into() }),
        );
        self.out.extend(lines);
    }

    fn number(&self, frame: &Frame, key: u64) -> u64 {
        self.tab.memory().borrow_mut().refs.number(&frame.frame_id, &frame.loader_id, key)
    }

    async fn inner(&mut self, parent: &Frame, index: i64, base: usize) {
        if self.frames.is_none() {
            self.frames = frame::all(self.tab).await.ok();
        }
        let indent = "  ".repeat(base);
        let found = match &self.frames {
            Some(frames) if self.frames_read < FRAMES_READ && self.left > 0 => {
                frame::child(self.tab, frames, parent, index).await
            }
            _ => None,
        };
        let Some(inner) = found else {
            self.out.push(format!("{indent}(this frame was not read)"));
            return;
        };
        match inner.ask::<Snapshot>(self.tab, "snapshot", self.args(None)).await {
            Ok(snapshot) => self.take(&inner, &snapshot, base).await,
            Err(_) => self.out.push(format!("{indent}(this frame could not be read)")),
        }
    }

    fn ends(&mut self, frame: &Frame, snapshot: &Snapshot) {
        if let Some(cut) = snapshot.cut {
            let reference = self.number(frame, cut.key);
            self.notes.push(format!(
                "Cut here: about {} more elements follow. Next step: read_page with ref_id ref_{reference} reads on, or pass a larger max_chars.",
                cut.remaining
            ));
        }
        if snapshot.outside > 0 {
            self.notes.push(format!(
                "{} interactive elements lie outside the viewport: scroll, or use filter all.",
                snapshot.outside
            ));
        }
    }

    fn reply(self, frame: &Frame, page: &Page, arguments: &Arguments) -> Reply {
        let scope = format!(
            "{} {} {:?} {:?}",
            self.filter, self.depth, arguments.ref_id, arguments.max_chars
        );
        let mut own = format!(
            "Viewport {} by {}, scrolled to {} of {}.",
            page.viewport.width, page.viewport.height, page.scroll.y, page.height
        );
        if page.ready_state == "loading" {
            own.push_str(" The page is still loading.");
        }
        let memory = self.tab.memory();
        let last = memory
            .borrow_mut()
            .read
            .take()
            .filter(|last| last.loader == frame.loader_id && last.scope == scope);
        let lines = match (&last, arguments.diff) {
            (Some(last), true) => {
                let changed = changes(&last.lines, &self.printed);
                own.push_str(if changed.is_empty() {
                    " Nothing changed since the last reading."
                } else {
                    " Changes since the last reading: + came, - went, ~ now reads."
                });
                changed
            }
            (None, true) => {
                own.push_str(" There is no earlier reading of this document to compare with, so this is all of it.");
                self.out
            }
            _ => self.out,
        };
        memory.borrow_mut().read =
            Some(LastRead { loader: frame.loader_id.clone(), scope, lines: self.printed });
        let head = format!("page: {} {}", quoted(&page.title, 200), quoted(&page.url, 500));
        let text = if lines.is_empty() { head } else { format!("{head}\n{}", lines.join("\n")) };
        let mut parts = vec![Part::Own(own), Part::Page { origin: frame.origin.clone(), text }];
        if !self.notes.is_empty() {
            parts.push(Part::Own(self.notes.join("\n")));
        }
        Reply { parts, structured: None }
    }
}

#[cfg(test)]
mod tests;
