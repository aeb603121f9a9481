//! The wheel, verified by what it moved, and a picture of where that led.

use super::Arguments;
use super::screenshot;
use crate::page::answers::{Place, Probe, Scrolled, Scroller};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Failure, Part, Reply};
use crate::tools::aim;
use crate::tools::frame::{self, Frame};
use crate::tools::needed;
use crate::tools::refusals::{named, refused};
use crate::tools::sequence::{self, step};
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde_json::{Value, json};

const NOTCH: f64 = 100.0;

pub(super) async fn scroll(tab: &OwnedTab, arguments: &Arguments) -> Result<Reply, Failure> {
    let direction = needed(arguments.scroll_direction.as_deref(), "scroll", "scroll_direction")?;
    let amount = arguments.scroll_amount.unwrap_or(3.0).clamp(1.0, 10.0) * NOTCH;
    let (dx, dy) = match direction {
        "up" => (0.0, -amount),
        "down" => (0.0, amount),
        "left" => (-amount, 0.0),
        _ => (amount, 0.0),
    };
    let place = place(tab, arguments).await?;
    let seen = match place.at {
        Some(at) => by_wheel(tab, &place, at, (dx, dy)).await?,
        None => by_script(tab, &place, (dx, dy)).await?,
    };
    let mut parts = vec![Part::Own(headline(direction, &seen))];
    if let Some(Scroller::Element(brief)) = &seen.what {
        parts.push(Part::Page {
            origin: tab.facts().doc.origin,
            text: format!("scrolled: {}", named(brief)),
        });
    }
    match screenshot::take(tab).await {
        Ok(picture) => parts.extend(picture),
        Err(failure) => {
            parts.push(Part::Own(format!("The picture afterwards failed: {}", failure.own)))
        }
    }
    Ok(Reply { parts, structured: None })
}

async fn by_wheel(
    tab: &OwnedTab,
    place: &Target,
    at: Place,
    (dx, dy): (f64, f64),
) -> Result<Scrolled, Failure> {
    let wheel = json!({ "type": "mouseWheel", "x": at.x, "y": at.y, "deltaX": dx, "deltaY": dy });
    let steps = vec![step(None, "Input.dispatchMouseEvent", wheel)];
    sequence::send(tab, place.frame.guard(), steps, BROWSER_REQUEST).await?;
    let answer = place.frame.ask(tab, "scrollOutcome", json!([])).await;
    // The wheel has turned, whatever keeps the page from saying so.
    let sent = |fault: RequestFault| RequestFault { sent: true, ..fault };
    let seen: Scrolled = answer.map_err(|fault| refused(sent(fault), &place.label, tab))?;
    if seen.moved.is_some() || seen.unarmed || seen.taken {
        return Ok(seen);
    }
    by_script(tab, place, (dx, dy)).await
}

async fn by_script(
    tab: &OwnedTab,
    place: &Target,
    (dx, dy): (f64, f64),
) -> Result<Scrolled, Failure> {
    let args = json!([{ "dx": dx, "dy": dy }]);
    let answer = place.frame.act(tab, "scrollDirectly", args).await;
    answer.map_err(|fault| refused(fault, &place.label, tab))
}

struct Target {
    frame: Frame,
    label: String,
    /// Where a wheel would turn it; a frame of another process answers one late or never.
    at: Option<Place>,
}

async fn place(tab: &OwnedTab, arguments: &Arguments) -> Result<Target, Failure> {
    if let Some(reference) = &arguments.reference {
        let aim = aim::element(tab, reference).await?;
        let probe = probe(tab, &aim.frame, json!({ "key": aim.key }), &aim.label).await?;
        let reached = match aim.frame.session {
            None => aim.through(tab, probe.root, probe.size).await.ok(),
            Some(_) => None,
        };
        let at = reached.map(|reached| reached.root);
        return Ok(Target { frame: aim.frame, label: aim.label, at });
    }
    let frame = frame::main(tab);
    let (at, label) = match arguments.coordinate {
        Some(coordinate) => {
            let spot = aim::point(tab, coordinate).await?;
            (json!({ "point": spot.reached.root }), spot.label)
        }
        None => (json!({}), "the page".to_owned()),
    };
    let probe = probe(tab, &frame, at, &label).await?;
    Ok(Target { frame, label, at: Some(probe.root) })
}

async fn probe(tab: &OwnedTab, frame: &Frame, at: Value, label: &str) -> Result<Probe, Failure> {
    frame.ask(tab, "scrollProbe", json!([at])).await.map_err(|fault| refused(fault, label, tab))
}

fn headline(direction: &str, seen: &Scrolled) -> String {
    if seen.taken {
        return "The page took the wheel for itself, as maps and drawings do; nothing scrolled."
            .to_owned();
    }
    let Some(moved) = &seen.moved else {
        let end = match (direction, seen.at_top, seen.at_bottom) {
            ("up", true, _) => " It is at its top.",
            ("down", _, true) => " It is at its bottom.",
            _ => "",
        };
        return format!("Nothing moved when scrolling {direction}.{end}");
    };
    let distance = if moved.dx.abs() > moved.dy.abs() { moved.dx } else { moved.dy };
    let how = if moved.by == "wheel" { "" } else { " by script, where a wheel moves nothing" };
    let end = if seen.at_bottom && direction == "down" {
        "; this is the bottom"
    } else if seen.at_top && direction == "up" {
        "; this is the top"
    } else {
        ""
    };
    format!("Scrolled {direction} by {} px{how}{end}.", distance.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headline_says_what_moved_and_how() {
        let cases = [
            (
                "down",
                json!({"moved": {"dx": 0, "dy": 300, "by": "wheel"}}),
                "Scrolled down by 300 px.",
            ),
            (
                "up",
                json!({"moved": {"dx": 0, "dy": -20, "by": "wheel"}, "atTop": true}),
                "Scrolled up by 20 px; this is the top.",
            ),
            (
                "down",
                json!({"moved": {"dx": 0, "dy": 300, "by": "script"}}),
                "Scrolled down by 300 px by script, where a wheel moves nothing.",
            ),
            (
                "down",
                json!({"atBottom": true}),
                "Nothing moved when scrolling down. It is at its bottom.",
            ),
            ("left", json!({"atTop": true}), "Nothing moved when scrolling left."),
            (
                "up",
                json!({"atTop": true, "taken": true}),
                "The page took the wheel for itself, as maps and drawings do; nothing scrolled.",
            ),
        ];
        for (direction, seen, expected) in cases {
            assert_eq!(headline(direction, &serde_json::from_value(seen).unwrap()), expected);
        }
    }
}
