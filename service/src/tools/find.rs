//! `find`: elements by words, in every frame of the tab.

use super::frame::{self, Frame};
use super::refusals::refused;
use super::{READS, no_effect};
use crate::page::answers::{Found, Line, States};
use crate::render::hit as hit_line;
use crate::tab::OwnedTab;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::limits::FRAMES_READ;
use serde::Deserialize;
use serde_json::{Map, Value, json};

const LISTED: usize = 20;
/// A hit of this rank or better answers the question.
const GOOD: u32 = 4;

pub(crate) const ROW: Tool = Tool {
    name: "find",
    title: "Find Page Elements",
    description: "Finds elements by the words a person would use for them (name, label, text, kind; any language) and \
        gives references for other tools. Up to 20, best first, actionable elements before plain text. No guessing: words \
        must occur.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["query","tabId"],"properties":{
"query":{"type":"string","description":"E.g. search field, add to cart button"},
"tabId":{"type":"number"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["results","more"],"properties":{
"results":{"type":"array","items":{"type":"object","required":["ref","role","name"],"properties":{
"ref":{"type":"string"},"role":{"type":"string"},"name":{"type":"string"},"value":{"type":"string"},"states":{"type":"string"},
"href":{"type":"string"},"inViewport":{"type":"boolean"}}}},
"more":{"type":"boolean"},"ties":{"type":"number","description":"How many fit equally well"}}}"#,
    ),
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    query: String,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    if arguments.query.trim().is_empty() {
        return Err(Failure::not_dispatched(
            "query is empty. Nothing was sent. Retry: safe, with words to look for.",
        ));
    }
    let args = json!([arguments.query, LISTED]);
    let answer = frame::ask_main::<Found>(&tab, "find", args.clone()).await;
    let (main, found) = answer.map_err(|fault| refused(fault, "the page", &tab))?;
    let mut searched = vec![(main, found)];
    let frames = frame::all(&tab).await?;
    let mut unread = frames.len().saturating_sub(FRAMES_READ);
    for frame in frames.into_iter().skip(1).take(FRAMES_READ - 1) {
        match frame.ask::<Found>(&tab, "find", args.clone()).await {
            Ok(found) => searched.push((frame, found)),
            Err(_) => unread += 1,
        }
    }
    open_roots(&tab, &args, &mut searched).await;
    Ok(reply(&tab, searched, unread))
}

/// Searches once more where closed shadow roots were: those that show themselves, and all when nothing fits well.
async fn open_roots(tab: &OwnedTab, args: &Value, searched: &mut [(Frame, Found)]) {
    let is_good = |hit: &Line| hit.rank <= GOOD;
    let missed = !searched.iter().any(|(_, found)| found.results.first().is_some_and(is_good));
    for (frame, found) in searched {
        if (found.closed || (missed && found.unopened))
            && frame.open_roots(tab).await
            && let Ok(again) = frame.ask(tab, "find", args.clone()).await
        {
            *found = again;
        }
    }
}

fn reply(tab: &OwnedTab, searched: Vec<(Frame, Found)>, unread: usize) -> Reply {
    let total: usize = searched.iter().map(|(_, found)| found.total).sum();
    let unweighed = searched.iter().any(|(_, found)| found.more);
    let of_frame = |(frame, found): (Frame, Found)| {
        found.results.into_iter().map(move |hit| (hit, frame.clone()))
    };
    let mut hits: Vec<(Line, Frame)> = searched.into_iter().flat_map(of_frame).collect();
    let ties = ties(&hits);
    let hits: Vec<_> = std::iter::from_fn(|| best(&mut hits)).take(LISTED).collect();
    let memory = tab.memory();
    let mut memory = memory.borrow_mut();
    let (mut lines, mut rows) = (Vec::new(), Vec::new());
    for (hit, frame) in &hits {
        let key = hit.key.unwrap_or_default();
        let reference =
            format!("ref_{}", memory.refs.number(&frame.frame_id, &frame.loader_id, key));
        let place = if frame.parent_id.is_some() { " (in a frame)" } else { "" };
        lines.push(format!("{}{place}", hit_line(hit, &reference)));
        rows.push(row(hit, reference));
    }
    let more = total > hits.len();
    let mut own = match hits.len() {
        0 => "Nothing on the page has these words. Next step: use other words, or read_page."
            .to_owned(),
        shown if unweighed => format!("The best {shown} of more than {total} elements."),
        shown if more => format!("The best {shown} of {total} elements."),
        shown => format!("{shown} found."),
    };
    if ties > 1 {
        own.push_str(&format!(
            " The first {ties} fit equally well: choose by what is around them."
        ));
    }
    if unread > 0 {
        own.push_str(&format!(" {unread} frames could not be searched."));
    }
    let mut parts = vec![Part::Own(own)];
    if !lines.is_empty() {
        parts.push(Part::Page { origin: tab.facts().doc.origin, text: lines.join("\n") });
    }
    let mut structured = json!({ "results": rows, "more": more });
    if ties > 1 {
        structured["ties"] = ties.into();
    }
    Reply { parts, structured: Some(structured) }
}

/// How many stand beside the best.
fn ties(hits: &[(Line, Frame)]) -> usize {
    let best = hits.iter().map(order).min();
    hits.iter().filter(|hit| best == Some(order(hit))).count()
}

fn order((hit, _): &(Line, Frame)) -> (u32, bool) {
    (hit.rank, !hit.actionable)
}

/// The first of those that fit best.
fn best(hits: &mut Vec<(Line, Frame)>) -> Option<(Line, Frame)> {
    let at = (0..hits.len()).min_by_key(|at| order(&hits[*at]))?;
    Some(hits.remove(at))
}

fn row(line: &Line, reference: String) -> Value {
    let mut row = Map::new();
    row.insert("ref".into(), reference.into());
    row.insert("role".into(), line.role.as_str().into());
    row.insert("name".into(), line.name.as_str().into());
    if let Some(value) = line.value.as_ref().filter(|_| !line.secret) {
        row.insert("value".into(), value.as_str().into());
    }
    if let Some(href) = &line.href {
        row.insert("href".into(), href.as_str().into());
    }
    let states = words(&line.states, line.secret, line.filled);
    if !states.is_empty() {
        row.insert("states".into(), states.into());
    }
    row.insert("inViewport".into(), line.in_viewport.into());
    Value::Object(row)
}

/// The same words as in the text.
fn words(states: &States, secret: bool, filled: bool) -> String {
    let mut text = String::new();
    crate::render::states(states, &mut text);
    if secret {
        text.push_str(if filled { " secret-filled" } else { " secret-empty" });
    }
    text.trim().to_owned()
}
