//! From what a tool gave to what leaves: page text inside its boundary, sizes within the client's bound.

use super::refusal;
use crate::render::{self, boundary};
use crate::tab::Dialog;
use crate::tool::{Failure, Part, Reply};
use ghostlight_transport::bridge::{Block, Disposition, Outcome};
use ghostlight_transport::limits::{RESULT_BYTES, RESULT_NOTE_BYTES};
use serde_json::value::{RawValue, to_raw_value};

const DIALOG: &str =
    " A dialog of the page is open in this tab. Next step: answer it with the dialog tool.";
const CUT: &str = "\n[cut here: the result was larger than what may be sent to a client]";

/// One fresh nonce per result; without entropy nothing of a page is shown.
pub(crate) fn render(ends: Result<Reply, Failure>) -> Outcome {
    let mut nonce = [0; 8];
    if getrandom::fill(&mut nonce).is_err() {
        return failed(refusal::internal(true), nonce);
    }
    match ends {
        Ok(reply) => succeeded(reply, nonce),
        Err(failure) => failed(failure, nonce),
    }
}

/// Whatever a tool says about its tab: a dialog that is open now is told once, since nothing else works there.
pub(crate) fn with_dialog(
    ends: Result<Reply, Failure>,
    dialog: &Dialog,
    origin: String,
) -> Result<Reply, Failure> {
    let line = render::dialog(&dialog.kind, &dialog.message);
    let shown = |text: &str| text.contains(&line);
    match ends {
        Ok(reply)
            if reply
                .parts
                .iter()
                .any(|part| matches!(part, Part::Page { text, .. } if shown(text))) =>
        {
            Ok(reply)
        }
        Ok(mut reply) => {
            reply.parts.push(Part::Own(DIALOG.trim_start().into()));
            reply.parts.push(Part::Page { origin, text: format!("dialog: {line}") });
            Ok(reply)
        }
        Err(mut failure) => {
            if !failure.own.contains("dialog tool") {
                failure.own.push_str(DIALOG);
            }
            let (origin, text) = failure.page.take().unwrap_or((origin, String::new()));
            let gap = if text.is_empty() { "" } else { "\n" };
            let text = if shown(&text) { text } else { format!("{text}{gap}dialog: {line}") };
            Err(failure.with_page(origin, text))
        }
    }
}

fn succeeded(reply: Reply, nonce: [u8; 8]) -> Outcome {
    let structured: Option<Box<RawValue>> =
        reply.structured.as_ref().and_then(|value| to_raw_value(value).ok());
    let mut room = RESULT_BYTES;
    let facts = structured.as_ref().map_or(0, |facts| facts.get().len());
    let images: usize = reply.parts.iter().map(image_bytes).sum();
    let Some(left) = room.checked_sub(facts + images) else {
        return failed(refusal::too_large(true), nonce);
    };
    room = left;
    let texts: usize = reply.parts.iter().map(text_bytes).sum();
    if texts > room && structured.is_some() {
        return failed(refusal::too_large(true), nonce);
    }
    let mut content = Vec::with_capacity(reply.parts.len());
    for part in reply.parts {
        content.push(match part {
            Part::Own(text) => Block::Text(fit(text, &mut room)),
            Part::Page { origin, text } => {
                Block::Text(boundary(&origin, &fit(text, &mut room), nonce))
            }
            Part::Image { mime, data } => Block::Image { mime, data },
        });
    }
    if content.is_empty() {
        content.push(Block::Text("Done.".into()));
    }
    Outcome { disposition: Disposition::Success, content, structured }
}

fn failed(failure: Failure, nonce: [u8; 8]) -> Outcome {
    let mut room = RESULT_BYTES;
    let mut content = vec![Block::Text(fit(failure.own, &mut room))];
    if let Some((origin, text)) = failure.page {
        content.push(Block::Text(boundary(&origin, &fit(text, &mut room), nonce)));
    }
    Outcome { disposition: failure.disposition, content, structured: None }
}

fn image_bytes(part: &Part) -> usize {
    match part {
        Part::Image { data, .. } => data.len(),
        _ => 0,
    }
}

fn text_bytes(part: &Part) -> usize {
    match part {
        Part::Own(text) | Part::Page { text, .. } => text.len() + RESULT_NOTE_BYTES,
        Part::Image { .. } => 0,
    }
}

/// As much of the text as there is room for, cut between two characters, and saying so.
fn fit(mut text: String, room: &mut usize) -> String {
    if text.len() + RESULT_NOTE_BYTES > *room {
        let mut border = room.saturating_sub(RESULT_NOTE_BYTES).min(text.len());
        while !text.is_char_boundary(border) {
            border -= 1;
        }
        text.truncate(border);
        text.push_str(CUT);
    }
    *room = room.saturating_sub(text.len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(outcome: &Outcome, at: usize) -> &str {
        match &outcome.content[at] {
            Block::Text(text) => text,
            Block::Image { .. } => panic!("an image"),
        }
    }

    fn page(text: &str) -> Part {
        Part::Page { origin: "https://a.example".into(), text: text.into() }
    }

    #[test]
    fn what_a_page_could_choose_stands_inside_a_boundary_and_each_result_has_its_own() {
        let reply =
            || Reply { parts: vec![Part::Own("ours".into()), page("theirs")], structured: None };
        let (one, two) = (render(Ok(reply())), render(Ok(reply())));
        assert_eq!(text(&one, 0), "ours");
        assert!(text(&one, 1).contains("https://a.example") && text(&one, 1).contains("theirs"));
        assert_ne!(text(&one, 1), text(&two, 1));
        let failure = Failure::tool("ours").with_page("https://a.example", "theirs");
        let failed = render(Err(failure));
        assert_eq!(text(&failed, 0), "ours");
        assert_ne!(text(&failed, 1), "theirs");
    }

    #[test]
    fn a_long_text_is_cut_between_characters_and_says_so() {
        let reply = Reply { parts: vec![page(&"é".repeat(RESULT_BYTES))], structured: None };
        let outcome = render(Ok(reply));
        assert!(text(&outcome, 0).len() < RESULT_BYTES + RESULT_NOTE_BYTES);
        assert!(text(&outcome, 0).contains("[cut here"));
    }

    #[test]
    fn a_result_whose_facts_cannot_be_cut_fails_and_says_what_was_done() {
        let huge = "x".repeat(RESULT_BYTES);
        for reply in [
            Reply { parts: vec![], structured: Some(json!({ "a": huge })) },
            Reply { parts: vec![page(&huge)], structured: Some(json!({})) },
            Reply {
                parts: vec![Part::Image { mime: "image/png".into(), data: huge.clone() + "x" }],
                structured: None,
            },
        ] {
            let outcome = render(Ok(reply));
            assert_eq!(outcome.disposition, Disposition::ToolFailure);
            assert!(text(&outcome, 0).contains("do not repeat"));
        }
    }

    #[test]
    fn an_outcome_always_says_something() {
        assert!(!render(Ok(Reply::default())).content.is_empty());
    }
}
