//! Drags: a button held from one place to another, with the moves of a hand.

use super::Arguments;
use super::pointer::{held, reached, reply};
use crate::page::answers::Place;
use crate::tab::OwnedTab;
use crate::tool::{Failure, Reply};
use crate::tools::aim::{self, Aim, Spot};
use crate::tools::sequence::{self, step};
use crate::tools::watching::{Watched, Watching, missed};
use ghostlight_transport::limits::{
    BROWSER_REQUEST, DRAG_HOLD, DRAG_REST, DRAG_STEP, DRAG_STEP_PX, DRAG_STEPS,
};
use serde_json::{Value, json};
use std::time::Duration;

/// Looks until neither end scrolls the other away.
const LOOKS: usize = 3;

enum End {
    Element(Aim),
    Point([f64; 2]),
}

pub(super) async fn drag(tab: &OwnedTab, arguments: &Arguments) -> Result<Reply, Failure> {
    let modifiers = held(arguments.modifiers.as_deref().unwrap_or_default())?;
    let (from, to) = ends(tab, arguments).await?;
    let (start, end) = spots(tab, &from, &to).await?;
    let subject = (start.key, start.label.as_str());
    let (watching, _) = Watching::begin(tab, &start.frame, subject, Watched::Drag).await?;
    let steps = steps(start.reached.root, end.reached.root, modifiers);
    let guard = watching.frame().guard();
    let sent = match sequence::send_ending(tab, guard, (steps, ending()), BROWSER_REQUEST).await {
        Ok(sent) => sent,
        Err(failure) => {
            watching.abandon().await;
            return Err(failure);
        }
    };
    let mut seen = watching.end().await;
    if start.reached.session != end.reached.session
        && let Some(outcome) = &mut seen.outcome
        && outcome.drop.is_some()
    {
        outcome.drop = Some("elsewhere".into());
    }
    if let Some(failure) = missed(tab, &start.label, &seen) {
        return Err(failure);
    }
    let reached = reached(sent, &seen, "press");
    let own = format!("Dragged {} to {}{reached}.", start.label, end.label);
    Ok(reply(tab, &start, own, &seen))
}

/// `ref` replaces `coordinate` as with a click; where no start is given, it is the start.
async fn ends(tab: &OwnedTab, arguments: &Arguments) -> Result<(End, End), Failure> {
    let Arguments { start_ref, start_coordinate, reference, coordinate, .. } = arguments;
    let start = (start_ref.as_deref(), *start_coordinate);
    let end = (reference.as_deref(), *coordinate);
    let (start, end) = match (start, end) {
        ((None, None), (Some(from), to @ Some(_))) => ((Some(from), None), (None, to)),
        ends => ends,
    };
    Ok((one(tab, start).await?, one(tab, end).await?))
}

async fn one(tab: &OwnedTab, end: (Option<&str>, Option<[f64; 2]>)) -> Result<End, Failure> {
    match end {
        (Some(reference), None) => Ok(End::Element(aim::element(tab, reference).await?)),
        (None, Some(coordinate)) => Ok(End::Point(coordinate)),
        _ => Err(Failure::not_dispatched(
            "left_click_drag needs one start (start_coordinate or start_ref) and one end (coordinate or ref). \
             Nothing was sent. Retry: safe, with both.",
        )),
    }
}

async fn spot(tab: &OwnedTab, end: &End, kind: &str) -> Result<Spot, Failure> {
    match end {
        End::Element(aim) => aim.prepare(tab, kind).await,
        End::Point(coordinate) => aim::point(tab, *coordinate).await,
    }
}

/// Both ends as they are at one moment.
async fn spots(tab: &OwnedTab, from: &End, to: &End) -> Result<(Spot, Spot), Failure> {
    let mut start = spot(tab, from, "click").await?;
    for _ in 0..LOOKS {
        let end = spot(tab, to, "hover").await?;
        let again = spot(tab, from, "click").await?;
        let (was, is) = (start.reached.root, again.reached.root);
        if (was.x - is.x).abs() < 1.0 && (was.y - is.y).abs() < 1.0 {
            return Ok((again, end));
        }
        start = again;
    }
    Err(Failure::not_dispatched(
        "Start and end of the drag do not rest in the viewport together. No input was sent. \
         Retry: does not help as it is. Next step: scroll so that both are visible, or drag in shorter ways.",
    ))
}

/// In the tab's own viewport, whichever frames lie there: a drag may lead from one into another.
fn steps(start: Place, end: Place, modifiers: u32) -> Vec<Value> {
    let mouse = |kind: &str, at: Place, button: &str, after: Duration| {
        let held = u32::from(button == "left" && kind != "mouseReleased");
        let params = json!({ "type": kind, "x": at.x, "y": at.y, "button": button, "buttons": held,
            "clickCount": u32::from(kind != "mouseMoved"), "modifiers": modifiers });
        let mut step = step(None, "Input.dispatchMouseEvent", params);
        step["wait"] = true.into();
        step["afterMs"] = u64::try_from(after.as_millis()).unwrap_or_default().into();
        step
    };
    let (dx, dy) = (end.x - start.x, end.y - start.y);
    let (least, most) = DRAG_STEPS;
    let count = (dx.hypot(dy) / DRAG_STEP_PX).ceil().clamp(least, most);
    let mut steps = vec![
        mouse("mouseMoved", start, "none", Duration::ZERO),
        mouse("mousePressed", start, "left", DRAG_HOLD),
    ];
    for n in 1..=count as u32 {
        // Slow at both ends: many pages want a few pixels before they believe in a drag.
        let share = f64::from(n) / count;
        let eased = share * share * (3.0 - 2.0 * share);
        let at = Place { x: start.x + dx * eased, y: start.y + dy * eased };
        steps.push(mouse("mouseMoved", at, "left", DRAG_STEP));
    }
    // A place that takes drops wants to see the pointer in it more than once.
    steps.push(mouse("mouseMoved", end, "left", DRAG_REST));
    steps.push(mouse("mouseMoved", end, "left", DRAG_REST));
    steps.push(mouse("mouseReleased", end, "left", Duration::ZERO));
    steps
}

/// Where a drop went to another process, the browser does not tell the page it came from that the drag is over.
fn ending() -> Vec<Value> {
    let data = json!({ "items": [], "dragOperationsMask": 0 });
    let over = json!({ "type": "dragCancel", "x": -1, "y": -1, "data": data });
    vec![step(None, "Input.dispatchDragEvent", over)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drag_is_many_moves_with_the_button_held_that_end_where_it_ends() {
        let (start, end) = (Place { x: 10.0, y: 20.0 }, Place { x: 310.0, y: 420.0 });
        let steps = steps(start, end, 8);
        let kinds: Vec<_> =
            steps.iter().map(|step| step["params"]["type"].as_str().unwrap()).collect();
        assert_eq!(kinds[..3], ["mouseMoved", "mousePressed", "mouseMoved"]);
        assert_eq!(kinds.last(), Some(&"mouseReleased"));
        assert_eq!(steps.len(), 55);
        let held = |step: &Value| step["params"]["buttons"] == 1;
        assert!(!held(&steps[0]) && steps[1..54].iter().all(held) && !held(&steps[54]));
        let last = &steps[54]["params"];
        assert_eq!(
            (&last["x"], &last["y"], &last["modifiers"]),
            (&json!(310.0), &json!(420.0), &json!(8))
        );
        let first = steps[2]["params"]["x"].as_f64().unwrap();
        assert!((10.0..13.0).contains(&first), "{first}");
    }
}
