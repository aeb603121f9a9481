//! `get_page_text`: the text of a page for reading.

use super::frame::{self, Frame};
use super::refusals::refused;
use super::{READS, no_effect};
use crate::page::answers::PageText;
use crate::render::{cut, quoted};
use crate::tab::OwnedTab;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::limits::{FRAMES_READ, READ_CHARS, READ_CHARS_MOST};
use serde::Deserialize;
use serde_json::json;

pub(crate) const ROW: Tool = Tool {
    name: "get_page_text",
    title: "Read Page Text",
    description: "The page's text for reading: its main content if it has any, else all of it, with its frames. For \
        acting on elements use read_page or find.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId"],"properties":{
"tabId":{"type":"number"},
"max_chars":{"type":"number","minimum":1,"description":"Default 50000"}}}"#,
    output: None,
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    max_chars: Option<f64>,
}

/// Of an argument that is a number of characters.
pub(super) fn characters(given: Option<f64>) -> usize {
    given.map_or(READ_CHARS, |chars| (chars as usize).clamp(1, READ_CHARS_MOST))
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let most = characters(arguments.max_chars);
    let args = json!([{ "maxChars": most }]);
    let answer = frame::ask_main::<PageText>(&tab, "text", args).await;
    let (main, text) = answer.map_err(|fault| refused(fault, "the page", &tab))?;
    let text = opened(&tab, &main, most, text).await;
    let head = format!("page: {} {}", quoted(&text.page.title, 200), quoted(&text.page.url, 500));
    let mut own = format!("Text of the {}, {} characters.", source(&text.source), text.length);
    if text.source != "body" {
        own.push_str(" Navigation and other parts around it are left out; read_page shows them.");
    }
    let mut left = most.saturating_sub(text.text.chars().count());
    if text.length > most {
        own.push_str(&format!(" Cut after {most}: pass a larger max_chars for the rest."));
    }
    let mut parts =
        vec![Part::Page { origin: main.origin.clone(), text: format!("{head}\n\n{}", text.text) }];
    if text.frames > 0 {
        inner(&tab, &mut left, &mut parts).await?;
    }
    parts.insert(0, Part::Own(own));
    Ok(Reply { parts, structured: None })
}

fn source(text: &str) -> &'static str {
    match text {
        "main" => "main content",
        "article" => "article",
        _ => "whole page",
    }
}

async fn read(
    tab: &OwnedTab,
    frame: &Frame,
    most: usize,
) -> Result<PageText, crate::tab::RequestFault> {
    let text: PageText = frame.ask(tab, "text", json!([{ "maxChars": most }])).await?;
    Ok(opened(tab, frame, most, text).await)
}

/// The same with closed shadow roots open, where there may be some; no longer than asked for.
async fn opened(tab: &OwnedTab, frame: &Frame, most: usize, mut text: PageText) -> PageText {
    if text.closed && frame.open_roots(tab).await {
        let again = frame.ask(tab, "text", json!([{ "maxChars": most }])).await;
        text = again.unwrap_or(text);
    }
    shorten(&mut text, most);
    text
}

/// The page counts in units of its own, of which a character may take two.
fn shorten(text: &mut PageText, most: usize) {
    let end = cut(&text.text, most).len();
    text.text.truncate(end);
}

/// The texts of the frames, as far as there is room.
async fn inner(tab: &OwnedTab, left: &mut usize, parts: &mut Vec<Part>) -> Result<(), Failure> {
    let frames = frame::all(tab).await?;
    let mut unread = frames.len().saturating_sub(FRAMES_READ);
    for frame in frames.iter().skip(1).take(FRAMES_READ - 1) {
        match read(tab, frame, (*left).max(1)).await {
            Ok(_) if *left == 0 => unread += 1,
            Ok(text) if text.text.trim().is_empty() => {}
            Ok(text) => {
                *left = left.saturating_sub(text.text.chars().count());
                let text = format!("frame: {}\n\n{}", quoted(&frame.url, 300), text.text);
                parts.push(Part::Page { origin: frame.origin.clone(), text });
            }
            Err(_) => unread += 1,
        }
    }
    if unread > 0 {
        parts.push(Part::Own(format!("{unread} frames are not included.")));
    }
    Ok(())
}
