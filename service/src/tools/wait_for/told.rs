//! What came of a wait, in words: what is there, or what was missing at the end.

use super::look::Stand;
use super::{Span, Wanted};
use crate::render::{flat, quoted};
use crate::tab::OwnedTab;
use crate::tool::{Failure, Part, Reply};
use ghostlight_transport::limits::WAIT_MOST;
use serde_json::json;
use std::time::Duration;

pub(super) fn reply(
    tab: &OwnedTab,
    wanted: &Wanted,
    time: &Span,
    (stand, settled): (&Stand, Option<bool>),
) -> Reply {
    let now = tab.within(Duration::ZERO);
    let elapsed = now.saturating_duration_since(time.began).as_millis();
    let mut structured = json!({ "found": stand.met, "elapsed_ms": elapsed as u64 });
    let own = if stand.met {
        let state = match settled {
            Some(true) => " The page is at rest.",
            Some(false) => " The page is still changing.",
            None => "",
        };
        format!("{} after {elapsed} ms.{state}", reached(wanted))
    } else {
        format!(
            "Not so within {}: {}. Nothing was changed. Retry: safe. Next step: look at the page, or wait longer.",
            bound(time.total),
            missing(wanted, stand)
        )
    };
    if let Some(settled) = settled.or((wanted.state == "settled").then_some(stand.met)) {
        structured["settled"] = settled.into();
    }
    let mut parts = vec![Part::Own(own)];
    if let Some((frame, element)) = &stand.element {
        let words = |name: &str| element[name].as_str().unwrap_or_default();
        let mut text = format!("{} {}", flat(words("role"), 40), quoted(words("name"), 80));
        if let Some(key) = element["key"].as_u64() {
            let memory = tab.memory();
            let number = memory.borrow_mut().refs.number(&frame.frame_id, &frame.loader_id, key);
            text.push_str(&format!(" [ref_{number}]"));
            structured["ref"] = format!("ref_{number}").into();
        }
        if frame.parent_id.is_some() {
            text.push_str(&format!(" in the frame {}", quoted(&frame.url, 300)));
        }
        parts.push(Part::Page { origin: frame.origin.clone(), text });
    }
    if wanted.url.is_some() {
        let doc = tab.facts().doc;
        parts.push(Part::Page {
            origin: doc.origin,
            text: format!("url: {}", quoted(&doc.url, 500)),
        });
    }
    Reply { parts, structured: Some(structured) }
}

/// More may have been asked for.
pub(super) fn bound(total: Duration) -> String {
    let most = if total == WAIT_MOST { ", the most that one call waits" } else { "" };
    format!("{} ms{most}", total.as_millis())
}

fn reached(wanted: &Wanted) -> &'static str {
    match wanted.state {
        "settled" => "Settled",
        "gone" => "Gone",
        "present" => "There",
        _ if wanted.is_inside() => "Visible",
        _ => "The address is as wanted",
    }
}

fn missing(wanted: &Wanted, stand: &Stand) -> String {
    let mut causes = Vec::new();
    match wanted.state {
        "gone" if stand.elsewhere => causes.push("the address still contains it".to_owned()),
        _ if stand.elsewhere => causes.push("the address does not contain it".to_owned()),
        "gone" if stand.element.is_some() => causes.push("it is still there".to_owned()),
        "gone" => {}
        "settled" if stand.requests > 0 => {
            causes.push(format!("{} requests of the page are on their way", stand.requests));
        }
        "settled" if !stand.loading && !stand.unanswered => {
            causes.push("the page keeps changing".to_owned())
        }
        "settled" => {}
        _ if stand.hidden => causes.push("what fits is there, but cannot be seen".to_owned()),
        _ => causes.push("nothing that fits is there".to_owned()),
    }
    if stand.loading {
        causes.push("the page is still loading".to_owned());
    }
    if stand.unanswered {
        causes.push("a document of the page did not answer".to_owned());
    }
    if stand.beyond > 0 {
        causes.push(format!("{} more frames were not looked at", stand.beyond));
    }
    causes.join("; ")
}

/// A dialog holds the page, so nothing can be waited for.
pub(super) fn dialog(tab: &OwnedTab) -> Failure {
    let facts = tab.facts();
    let (kind, message) =
        facts.dialog.map_or_else(Default::default, |dialog| (dialog.kind, dialog.message));
    Failure::tool(
        "A dialog of the page is open, and nothing in the page goes on before it is answered. Retry: safe, afterwards. \
         Next step: answer it with dialog.",
    )
    .with_page(facts.doc.origin, format!("dialog: {} {}", flat(&kind, 20), quoted(&message, 400)))
}
