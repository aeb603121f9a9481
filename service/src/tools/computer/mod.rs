//! `computer`: the pointer, the keyboard, the wheel and pictures.

mod drag;
mod keyboard;
mod pointer;
pub(super) mod screenshot;
mod scroll;
mod typing;

pub(crate) use keyboard::chord;
pub(crate) use pointer::{Gesture, strike};
pub(crate) use typing::{is_masked, steps_for};

use super::{ACTS, needed};
use crate::tab::OwnedTab;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;

pub(crate) const ROW: Tool = Tool {
    name: "computer",
    title: "Browser Input and Screenshots",
    description: "Real mouse and keyboard input in a tab, and screenshots. Prefer ref (from read_page or find) over \
        coordinate: the element is scrolled into view, waited for and checked to receive the click. coordinate is a pixel \
        of this tab's last screenshot. Results tell what was observed afterwards. zoom enlarges region [x0, y0, x1, y1]. \
        left_click_drag goes from start_coordinate or start_ref to coordinate or ref.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["action","tabId"],"properties":{
"action":{"type":"string","enum":["left_click","right_click","type","screenshot","wait","scroll","key","left_click_drag","double_click","triple_click","zoom","scroll_to","hover"]},
"tabId":{"type":"number"},
"coordinate":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2,"description":"[x, y] in pixels of the last screenshot"},
"duration":{"type":"number","minimum":0,"maximum":10},
"modifiers":{"type":"string","description":"Held while clicking, e.g. ctrl+shift"},
"ref":{"type":"string","description":"Element to act on, e.g. ref_12"},
"region":{"type":"array","items":{"type":"number"},"minItems":4,"maxItems":4},
"repeat":{"type":"number","minimum":1,"maximum":100,"description":"How often key is pressed"},
"scroll_direction":{"type":"string","enum":["up","down","left","right"]},
"scroll_amount":{"type":"number","minimum":1,"maximum":10,"description":"Notches of 100 px, default 3"},
"start_coordinate":{"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2},
"start_ref":{"type":"string"},
"full_page":{"type":"boolean","description":"screenshot: beyond the viewport too"},
"text":{"type":"string","description":"What to type; for key, chords separated by blanks, e.g. ctrl+a Delete"}}}"#,
    output: None,
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: is_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Arguments {
    action: String,
    coordinate: Option<[f64; 2]>,
    start_coordinate: Option<[f64; 2]>,
    start_ref: Option<String>,
    region: Option<[f64; 4]>,
    /// Seconds.
    duration: Option<f64>,
    #[serde(rename = "ref")]
    reference: Option<String>,
    modifiers: Option<String>,
    repeat: Option<f64>,
    scroll_direction: Option<String>,
    scroll_amount: Option<f64>,
    full_page: bool,
    text: Option<String>,
}

fn is_effect(arguments: &Map<String, Value>) -> bool {
    let action = arguments.get("action").and_then(Value::as_str).unwrap_or_default();
    !matches!(action, "screenshot" | "scroll" | "wait" | "zoom" | "scroll_to" | "hover")
}

/// Looks whether the call was cancelled at every event of the tab. Nothing is worth waiting for behind a dialog.
async fn wait(tab: &OwnedTab, seconds: f64) -> Reply {
    let seconds = seconds.clamp(0.0, 10.0);
    let deadline = tab.within(Duration::from_secs_f64(seconds));
    let mut mark = tab.mark();
    while tab.facts().dialog.is_none()
        && let Some((_, next)) = tab.next_event(mark, deadline).await
    {
        mark = next;
        if tab.cancelled() {
            break;
        }
    }
    let own = match tab.facts().dialog {
        Some(_) => "Stopped waiting.".to_owned(),
        None => format!("Waited {seconds} s."),
    };
    Reply { parts: vec![Part::Own(own)], structured: None }
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    if let Some(gesture) = Gesture::of(&arguments.action) {
        return pointer::point(&tab, &arguments, gesture).await;
    }
    match arguments.action.as_str() {
        "type" => typing::type_text(&tab, needed(arguments.text, "type", "text")?).await,
        "key" => {
            let repeat = arguments.repeat.unwrap_or(1.0).clamp(1.0, 100.0);
            typing::press(&tab, needed(arguments.text, "key", "text")?, repeat as usize).await
        }
        "scroll" => scroll::scroll(&tab, &arguments).await,
        "screenshot" => screenshot::screenshot(&tab, arguments.full_page).await,
        "zoom" => screenshot::zoom(&tab, needed(arguments.region, "zoom", "region")?).await,
        "scroll_to" => {
            pointer::scroll_to(&tab, &needed(arguments.reference, "scroll_to", "ref")?).await
        }
        "wait" => Ok(wait(&tab, needed(arguments.duration, "wait", "duration")?).await),
        _ => drag::drag(&tab, &arguments).await,
    }
}
