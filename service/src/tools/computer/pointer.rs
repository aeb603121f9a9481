//! Clicks: aimed, armed, sent as one sequence, and told by what was seen.

use super::Arguments;
use super::keyboard;
use crate::page::answers::Place;
use crate::render::{Happening, quoted};
use crate::tab::OwnedTab;
use crate::tool::{Failure, Part, Reply};
use crate::tools::aim::{self, Aim, Spot};
use crate::tools::refusals::{self, refused};
use crate::tools::sequence::{self, Sent, step};
use crate::tools::watching::{Watched, Watching, missed, told};
use ghostlight_transport::limits::{AIM_AGAIN, AIMS, BROWSER_REQUEST};
use serde_json::{Value, json};
use std::time::Duration;

/// What a pointer does at a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gesture {
    Left,
    Right,
    Double,
    Triple,
    Hover,
}

impl Gesture {
    pub(super) fn of(action: &str) -> Option<Self> {
        Some(match action {
            "left_click" => Self::Left,
            "right_click" => Self::Right,
            "double_click" => Self::Double,
            "triple_click" => Self::Triple,
            "hover" => Self::Hover,
            _ => return None,
        })
    }

    fn watched(self) -> Watched {
        if self == Self::Hover { Watched::Hover } else { Watched::Press }
    }

    /// What was done, and what the element was then seen to receive.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Left => ("Clicked", "click"),
            Self::Right => ("Right-clicked", "click"),
            Self::Double => ("Double-clicked", "clicks"),
            Self::Triple => ("Triple-clicked", "clicks"),
            Self::Hover => ("Moved the pointer to", "pointer"),
        }
    }
}

pub(super) async fn point(
    tab: &OwnedTab,
    arguments: &Arguments,
    gesture: Gesture,
) -> Result<Reply, Failure> {
    let modifiers = held(arguments.modifiers.as_deref().unwrap_or_default())?;
    match (&arguments.reference, arguments.coordinate) {
        (Some(reference), _) => {
            strike(tab, &aim::element(tab, reference).await?, gesture, modifiers).await
        }
        (None, Some(coordinate)) => {
            let spot = aim::point(tab, coordinate).await?.in_its_frame(tab).await;
            act(tab, &spot, gesture, modifiers).await?.ended()
        }
        (None, None) => Err(Failure::not_dispatched(format!(
            "{} needs ref or coordinate. Nothing was sent. Retry: safe, with one of them.",
            arguments.action
        ))),
    }
}

/// What became of one gesture.
enum Landed {
    On(Reply),
    /// Another thing was there; the press was stopped before it reached anything.
    Beside(Failure),
}

impl Landed {
    fn ended(self) -> Result<Reply, Failure> {
        match self {
            Self::On(reply) => Ok(reply),
            Self::Beside(failure) => Err(failure),
        }
    }
}

/// A gesture on an element; aimed again, within bounds, when the element was elsewhere as the pointer came.
pub(crate) async fn strike(
    tab: &OwnedTab,
    aim: &Aim,
    gesture: Gesture,
    modifiers: u32,
) -> Result<Reply, Failure> {
    let kind = if gesture == Gesture::Hover { "hover" } else { "click" };
    let until = tab.within(AIM_AGAIN);
    for left in (0..AIMS).rev() {
        let spot = aim.prepare(tab, kind).await?;
        let landed = act(tab, &spot, gesture, modifiers).await?;
        if matches!(landed, Landed::On(_)) || left == 0 || tab.within(Duration::ZERO) >= until {
            return landed.ended();
        }
    }
    Err(refusals::stale(&aim.label))
}

/// Scrolls an element to the middle of what is visible.
pub(super) async fn scroll_to(tab: &OwnedTab, reference: &str) -> Result<Reply, Failure> {
    let aim = aim::element(tab, reference).await?;
    let answer = aim.frame.act::<Value>(tab, "scrollTo", json!([aim.key])).await;
    answer.map_err(|fault| refused(fault, &aim.label, tab))?;
    let own = format!("Scrolled {} into view.", aim.label);
    Ok(Reply { parts: vec![Part::Own(own)], structured: None })
}

pub(super) fn held(text: &str) -> Result<u32, Failure> {
    keyboard::modifiers(text).map_err(|part| {
        Failure::not_dispatched(format!(
            "{} is no modifier. Nothing was sent. Retry: safe, with alt, ctrl, cmd or shift joined by +.",
            quoted(&part, 40)
        ))
    })
}

/// One gesture of the pointer, watched.
async fn act(
    tab: &OwnedTab,
    spot: &Spot,
    gesture: Gesture,
    modifiers: u32,
) -> Result<Landed, Failure> {
    let subject = (spot.key, spot.label.as_str());
    let (watching, _) = Watching::begin(tab, &spot.frame, subject, gesture.watched()).await?;
    let steps = steps(spot, gesture, modifiers);
    let sent = match sequence::send(tab, watching.frame().guard(), steps, BROWSER_REQUEST).await {
        Ok(sent) => sent,
        Err(failure) => {
            watching.abandon().await;
            return Err(failure);
        }
    };
    let seen = watching.end().await;
    if let Some(failure) = missed(tab, &spot.label, &seen) {
        return Ok(Landed::Beside(failure));
    }
    let (did, what) = gesture.words();
    let reached = reached(sent, &seen, what);
    Ok(Landed::On(reply(tab, spot, format!("{did} {}{reached}.", spot.label), &seen)))
}

/// Whether the element was seen to receive `what`.
pub(super) fn reached(sent: Sent, seen: &Happening, what: &str) -> String {
    match (sent, seen.outcome.as_ref().map(|outcome| outcome.hit.as_str())) {
        (Sent::All, Some("verified")) => format!("; it was seen to receive the {what}"),
        (Sent::All, Some("none")) => {
            format!("; the page was not seen to receive the {what}, so look before you do it again")
        }
        _ => String::new(),
    }
}

/// For a bare point also what lay there.
pub(super) fn reply(tab: &OwnedTab, spot: &Spot, own: String, seen: &Happening) -> Reply {
    let mut parts = told(tab, &spot.frame, own, seen);
    if let (None, Some(by)) =
        (spot.key, seen.outcome.as_ref().and_then(|outcome| outcome.by.as_ref()))
    {
        let under = format!("under the pointer: {}", refusals::named(by));
        if let Some(Part::Page { text, .. }) = parts.last_mut() {
            *text = format!("{under}\n{text}");
        }
    }
    Reply { parts, structured: None }
}

fn steps(spot: &Spot, gesture: Gesture, modifiers: u32) -> Vec<Value> {
    let mouse = |kind: &str, (button, buttons): (&str, u32), count: u32| {
        let Place { x, y } = spot.reached.local;
        let params = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons,
            "clickCount": count, "modifiers": modifiers });
        step(spot.reached.session.as_deref(), "Input.dispatchMouseEvent", params)
    };
    let (button, held, times) = match gesture {
        Gesture::Hover => ("none", 0, 0),
        Gesture::Left => ("left", 1, 1),
        Gesture::Right => ("right", 2, 1),
        Gesture::Double => ("left", 1, 2),
        Gesture::Triple => ("left", 1, 3),
    };
    let mut steps = vec![mouse("mouseMoved", ("none", 0), 0)];
    for count in 1..=times {
        steps.push(mouse("mousePressed", (button, held), count));
        steps.push(mouse("mouseReleased", (button, 0), count));
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gesture_is_what_a_hand_would_do() {
        let spot = Spot {
            frame: Default::default(),
            key: None,
            label: String::new(),
            reached: Default::default(),
        };
        let shown = |gesture| {
            let steps = steps(&spot, gesture, 0);
            let show = |step: &Value| {
                let params = &step["params"];
                format!(
                    "{} {} {}",
                    params["type"].as_str().unwrap(),
                    params["button"].as_str().unwrap(),
                    params["clickCount"]
                )
            };
            steps.iter().skip(1).map(show).collect::<Vec<_>>()
        };
        assert!(shown(Gesture::Hover).is_empty());
        assert_eq!(shown(Gesture::Left), ["mousePressed left 1", "mouseReleased left 1"]);
        assert_eq!(shown(Gesture::Right), ["mousePressed right 1", "mouseReleased right 1"]);
        assert_eq!(
            shown(Gesture::Double),
            [
                "mousePressed left 1",
                "mouseReleased left 1",
                "mousePressed left 2",
                "mouseReleased left 2"
            ]
        );
        assert_eq!(shown(Gesture::Triple).len(), 6);
        assert_eq!(Gesture::of("left_click_drag"), None);
    }
}
