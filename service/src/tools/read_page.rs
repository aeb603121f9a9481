//! `read_page`: the page as lines of elements and text, its frames inlined, with references to act on.

use super::frame::{self, Frame};
use super::get_page_text::characters;
use super::refusals::refused;
use super::{READS, aim, no_effect};
use crate::page::answers::{Line, Page, Snapshot};
use crate::render::{Printed, changes, quoted, tree};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::limits::{FRAMES_READ, READ_HEAD};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
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

/// What one call reads, frame by frame.
struct Reading<'t> {
    tab: &'t OwnedTab,
    filter: String,
    depth: usize,
    frames: Option<Vec<Frame>>,
    frames_read: usize,
    notes: Vec<String>,
}

/// One frame's lines, with those of the frames inside of it where they stand.
#[derive(Default)]
struct Piece {
    out: Vec<String>,
    printed: Vec<Printed>,
    /// In characters.
    size: usize,
}

/// Where a piece goes and how much of it there may be.
#[derive(Clone, Copy)]
struct Room {
    base: usize,
    left: usize,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let mut reading = Reading::new(&tab, &arguments);
    let most = characters(arguments.max_chars);
    // The page's name and address and our own words are part of the result.
    let room = Room { base: 0, left: most - (most / 10).min(READ_HEAD) };
    let (frame, root) = match &arguments.ref_id {
        Some(reference) => {
            let aim = aim::element(&tab, reference).await?;
            (aim.frame, Some((aim.key, aim.label)))
        }
        None => (frame::main(&tab), None),
    };
    let (key, label) = root.map_or((None, "the page".into()), |(key, label)| (Some(key), label));
    let answer = match key {
        Some(_) => reading.ask(&frame, key, room).await.map(|snapshot| (frame, snapshot)),
        None => frame::ask_main(&tab, "snapshot", reading.args(None, room)).await,
    };
    let (frame, snapshot) = answer.map_err(|fault| refused(fault, &label, &tab))?;
    let snapshot = reading.opened(&frame, key, room, snapshot).await;
    let page = snapshot.page.clone();
    let piece = reading.piece(&frame, key, room, snapshot).await;
    Ok(reading.reply((&frame, &page), piece, &arguments))
}

impl<'t> Reading<'t> {
    fn new(tab: &'t OwnedTab, arguments: &Arguments) -> Self {
        Self {
            tab,
            filter: arguments.filter.clone().unwrap_or_else(|| "all".into()),
            depth: arguments.depth.map_or(15, |depth| (depth as usize).clamp(1, 100)),
            frames: None,
            frames_read: 0,
            notes: Vec::new(),
        }
    }

    fn args(&self, root: Option<u64>, room: Room) -> Value {
        let mut options = json!({ "filter": self.filter, "depth": self.depth, "maxChars": room.left, "indent": room.base });
        if let Some(root) = root {
            options["root"] = root.into();
        }
        json!([options])
    }

    async fn ask(
        &self,
        frame: &Frame,
        root: Option<u64>,
        room: Room,
    ) -> Result<Snapshot, RequestFault> {
        frame.ask(self.tab, "snapshot", self.args(root, room)).await
    }

    /// The same with closed shadow roots open, where there may be some.
    async fn opened(
        &self,
        frame: &Frame,
        root: Option<u64>,
        room: Room,
        snapshot: Snapshot,
    ) -> Snapshot {
        if !snapshot.closed || !frame.open_roots(self.tab).await {
            return snapshot;
        }
        self.ask(frame, root, room).await.unwrap_or(snapshot)
    }

    fn piece<'r>(
        &'r mut self,
        frame: &'r Frame,
        root: Option<u64>,
        room: Room,
        mut snapshot: Snapshot,
    ) -> Pin<Box<dyn Future<Output = Piece> + 'r>> {
        Box::pin(async move {
            self.frames_read += 1;
            let own = self.size(frame, &snapshot, room.base);
            let inner = self.inner(frame, &snapshot, room, own).await;
            let used: usize = inner.values().map(|piece| piece.size).sum();
            if own + used > room.left {
                // The agent counts before anything is escaped, and does not know of the frames.
                let left = room.left.saturating_sub(used) * room.left.min(own) / own.max(1);
                if let Ok(less) = self.ask(frame, root, Room { left, ..room }).await {
                    snapshot = less;
                }
            }
            let mut whole = self.assembled(frame, &snapshot, room.base, inner);
            let ends = self.ends(frame, &snapshot);
            if room.base == 0 {
                self.notes = ends;
            } else {
                let indent = "  ".repeat(room.base);
                whole.add_plain(ends.iter().map(|end| format!("{indent}({end})")).collect());
            }
            whole
        })
    }

    fn size(&self, frame: &Frame, snapshot: &Snapshot, base: usize) -> usize {
        snapshot.lines.iter().map(|line| size(&self.line(frame, line, base).0)).sum()
    }

    fn line(&self, frame: &Frame, line: &Line, base: usize) -> (Vec<String>, Option<u64>) {
        let number = line.key.map(|key| self.number(frame, key));
        let reference = number.map(|number| format!("ref_{number}"));
        (tree(line, base, reference.as_deref()), number)
    }

    fn number(&self, frame: &Frame, key: u64) -> u64 {
        self.tab.memory().borrow_mut().refs.number(&frame.frame_id, &frame.loader_id, key)
    }

    fn assembled(
        &self,
        frame: &Frame,
        snapshot: &Snapshot,
        base: usize,
        mut inner: HashMap<u64, Piece>,
    ) -> Piece {
        let mut whole = Piece::default();
        for line in &snapshot.lines {
            let (lines, number) = self.line(frame, line, base);
            whole.add(lines, number);
            if line.frame.is_some() {
                let inside = line.key.and_then(|key| inner.remove(&key));
                whole.join(inside.unwrap_or_else(|| unread(base + line.depth + 1, "was not read")));
            }
        }
        whole
    }

    /// The pieces of the frames inside of `frame`, by the keys of their elements. A page that fills the
    /// reading by itself leaves them half.
    async fn inner(
        &mut self,
        frame: &Frame,
        snapshot: &Snapshot,
        room: Room,
        own: usize,
    ) -> HashMap<u64, Piece> {
        let mut pieces = HashMap::new();
        let mut left = room.left.saturating_sub(own).max(room.left / 2);
        let framed = |line: &Line| Some((line.key?, line.frame?, line.depth, line.href.clone()));
        let lines: Vec<_> = snapshot.lines.iter().filter_map(framed).collect();
        if lines.is_empty() {
            return pieces;
        }
        if self.frames.is_none() {
            self.frames = frame::all(self.tab).await.ok();
        }
        let frames = self.frames.take().unwrap_or_default();
        let children = frame::children(self.tab, &frames, frame).await;
        self.frames = Some(frames);
        for (key, index, depth, href) in lines {
            if self.frames_read >= FRAMES_READ || left == 0 {
                break;
            }
            let Some(child) = frame::at(&children, index, href.as_deref()) else { continue };
            let room = Room { base: room.base + depth + 1, left };
            let piece = match self.ask(child, None, room).await {
                Ok(snapshot) => {
                    let snapshot = self.opened(child, None, room, snapshot).await;
                    self.piece(child, None, room, snapshot).await
                }
                Err(_) => unread(room.base, "could not be read"),
            };
            left = left.saturating_sub(piece.size);
            pieces.insert(key, piece);
        }
        pieces
    }

    /// Where a reading does not hold all: told beside it, for an inner frame at its place.
    fn ends(&self, frame: &Frame, snapshot: &Snapshot) -> Vec<String> {
        let reference = |key| format!("ref_{}", self.number(frame, key));
        let skipped = snapshot.skipped.map(|skipped| {
            format!(
                "The reading begins with what the viewport shows: about {} elements before it are left out. \
                 Next step: read_page with ref_id {} reads from the beginning.",
                skipped.remaining,
                reference(skipped.key)
            )
        });
        let cut = snapshot.cut.map(|cut| {
            format!(
                "Cut here: about {} more elements follow. Next step: read_page with ref_id {} reads on, or pass a larger max_chars.",
                cut.remaining,
                reference(cut.key)
            )
        });
        let outside = (snapshot.outside > 0).then(|| {
            format!(
                "{} interactive elements lie outside the viewport: scroll, or use filter all.",
                snapshot.outside
            )
        });
        [skipped, cut, outside].into_iter().flatten().collect()
    }

    fn reply(self, (frame, page): (&Frame, &Page), piece: Piece, arguments: &Arguments) -> Reply {
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
                let changed = changes(&last.lines, &piece.printed);
                own.push_str(if changed.is_empty() {
                    " Nothing changed since the last reading."
                } else {
                    " Changes since the last reading: + came, - went, ~ now reads."
                });
                changed
            }
            (None, true) => {
                own.push_str(" There is no earlier reading of this document to compare with, so this is all of it.");
                piece.out
            }
            _ => piece.out,
        };
        memory.borrow_mut().read =
            Some(LastRead { loader: frame.loader_id.clone(), scope, lines: piece.printed });
        let head = format!("page: {} {}", quoted(&page.title, 200), quoted(&page.url, 500));
        let text = if lines.is_empty() { head } else { format!("{head}\n{}", lines.join("\n")) };
        let mut parts = vec![Part::Own(own), Part::Page { origin: frame.origin.clone(), text }];
        if !self.notes.is_empty() {
            parts.push(Part::Own(self.notes.join("\n")));
        }
        Reply { parts, structured: None }
    }
}

impl Piece {
    fn add(&mut self, lines: Vec<String>, number: Option<u64>) {
        self.size += size(&lines);
        let text = |line: &String| line.trim_start().to_owned();
        let numbers = std::iter::once(number).chain(std::iter::repeat(None));
        let printed = lines.iter().zip(numbers);
        self.printed.extend(printed.map(|(line, number)| Printed { number, text: text(line) }));
        self.out.extend(lines);
    }

    /// Words of ours, which no later reading is compared with.
    fn add_plain(&mut self, lines: Vec<String>) {
        self.size += size(&lines);
        self.out.extend(lines);
    }

    fn join(&mut self, inner: Self) {
        self.size += inner.size;
        self.out.extend(inner.out);
        self.printed.extend(inner.printed);
    }
}

fn size(lines: &[String]) -> usize {
    lines.iter().map(|line| line.chars().count() + 1).sum()
}

fn unread(base: usize, why: &str) -> Piece {
    let line = format!("{}(this frame {why})", "  ".repeat(base));
    Piece { size: line.len() + 1, out: vec![line], printed: Vec::new() }
}

#[cfg(test)]
mod tests;
