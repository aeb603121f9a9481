//! Clicks: aimed, armed, sent as one sequence, and told by what was seen.

use super::Arguments;
use super::keyboard;
use crate::render::quoted;
use crate::tab::OwnedTab;
use crate::tool::{Failure, Reply};
use crate::tools::aim::{self, Spot};
use crate::tools::sequence::{self, Sent, step};
use crate::tools::watching::{Watching, missed, told};
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde_json::{Value, json};

pub(super) async fn left_click(tab: &OwnedTab, arguments: &Arguments) -> Result<Reply, Failure> {
    let modifiers = held(arguments.modifiers.as_deref().unwrap_or_default())?;
    let spot = match (&arguments.reference, arguments.coordinate) {
        (Some(reference), _) => aim::element(tab, reference).await?.prepare(tab, "click").await?,
        (None, Some(coordinate)) => aim::point(tab, coordinate).await?,
        (None, None) => {
            return Err(Failure::not_dispatched(
                "left_click needs ref or coordinate. Nothing was sent. Retry: safe, with one of them.",
            ));
        }
    };
    click(tab, &spot, modifiers).await
}

fn held(text: &str) -> Result<u32, Failure> {
    keyboard::modifiers(text).map_err(|part| {
        Failure::not_dispatched(format!(
            "{} is no modifier. Nothing was sent. Retry: safe, with alt, ctrl, cmd or shift joined by +.",
            quoted(&part, 40)
        ))
    })
}

/// One click with the left button.
pub(crate) async fn click(tab: &OwnedTab, spot: &Spot, modifiers: u32) -> Result<Reply, Failure> {
    let (watching, _) = Watching::begin(tab, &spot.frame, (spot.key, &spot.label), true).await?;
    let steps = press(spot, modifiers);
    let sent = match sequence::send(tab, watching.frame().guard(), steps, BROWSER_REQUEST).await {
        Ok(sent) => sent,
        Err(failure) => {
            watching.abandon().await;
            return Err(failure);
        }
    };
    let seen = watching.end().await;
    if let Some(failure) = missed(tab, &spot.label, &seen) {
        return Err(failure);
    }
    let reached = match (sent, seen.outcome.as_ref().map(|outcome| outcome.hit.as_str())) {
        (Sent::All, Some("verified")) => "; it was seen to receive the click",
        (Sent::All, Some("none")) => {
            "; the page was not seen to receive it, so look before clicking again"
        }
        _ => "",
    };
    let mut parts = told(tab, &spot.frame, format!("Clicked {}{reached}.", spot.label), &seen);
    if let (None, Some(by)) =
        (spot.key, seen.outcome.as_ref().and_then(|outcome| outcome.by.as_ref()))
    {
        let under = format!("under the pointer: {}", crate::tools::refusals::named(by));
        if let Some(crate::tool::Part::Page { text, .. }) = parts.last_mut() {
            *text = format!("{under}\n{text}");
        }
    }
    Ok(Reply { parts, structured: None })
}

fn press(spot: &Spot, modifiers: u32) -> Vec<Value> {
    let mouse = |kind: &str, button: &str, buttons: u32| {
        let count = u32::from(kind != "mouseMoved");
        let params = json!({ "type": kind, "x": spot.x, "y": spot.y, "button": button, "buttons": buttons,
            "clickCount": count, "modifiers": modifiers });
        step(spot.session.as_deref(), "Input.dispatchMouseEvent", params)
    };
    vec![
        mouse("mouseMoved", "none", 0),
        mouse("mousePressed", "left", 1),
        mouse("mouseReleased", "left", 0),
    ]
}
