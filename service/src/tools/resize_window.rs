//! `resize_window`: the window around a tab, and what the window system made of it.

use super::{always_an_effect, frame};
use crate::page::answers::{Page, Viewport};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::{Hints, WorkspaceUse};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::json;
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const ROW: Tool = Tool {
    name: "resize_window",
    title: "Resize Browser Window",
    description: "Sets the outer size, in pixels, of the browser window that holds the tab, and tells the size it got. It \
        is the person's window: all its tabs change with it, and a maximized, minimized or fullscreen one becomes a \
        normal one. Use it only where the layout matters.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["width","height","tabId"],"properties":{
"width":{"type":"number"},
"height":{"type":"number"},
"tabId":{"type":"number"}}}"#,
    output: None,
    hints: Hints { read_only: false, destructive: false, idempotent: true, open_world: false },
    workspace: WorkspaceUse::Uses,
    lane: Lane::Browser,
    effect: always_an_effect,
    run: |call| Box::pin(run(call)),
};

/// No window is smaller, no desktop larger.
const SIDE: std::ops::RangeInclusive<f64> = 100.0..=16_384.0;

#[derive(Deserialize)]
struct Arguments {
    width: f64,
    height: f64,
}

#[derive(Debug, Deserialize)]
struct Resized {
    before: Window,
    after: Window,
    /// The browser's words.
    #[serde(default)]
    refused: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Window {
    width: i64,
    height: i64,
    state: String,
    tabs: usize,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let (width, height) = (side(arguments.width)?, side(arguments.height)?);
    let params = json!({ "width": width, "height": height });
    let resized: Resized = tab
        .effect("tab.resize", params, BROWSER_REQUEST)
        .await
        .map_err(|fault: RequestFault| match fault.code {
            FaultCode::Unsupported => Failure::not_dispatched(
                "The extension in this browser is too old to resize windows. Nothing was changed. Retry: does not help. \
                 Next step: go on with the size there is, or ask the person to update the extension.",
            ),
            _ => fault.into(),
        })?;
    let viewport = viewport(&tab).await;
    told(&resized, (width, height), viewport)
}

fn side(given: f64) -> Result<i64, Failure> {
    if SIDE.contains(&given) {
        return Ok(given.round() as i64);
    }
    Err(Failure::not_dispatched(format!(
        "width and height are from {} to {} pixels. Nothing was changed. Retry: safe, with such a size.",
        SIDE.start(),
        SIDE.end()
    )))
}

/// Once the page has come to rest in its new size; none when it cannot be asked.
async fn viewport(tab: &OwnedTab) -> Option<Viewport> {
    let (_, mut answer) = frame::ask_main::<Value>(tab, "settle", json!([])).await.ok()?;
    let page: Page = json::shaped(answer["page"].take()).ok()?;
    Some(page.viewport)
}

fn told(
    resized: &Resized,
    (width, height): (i64, i64),
    viewport: Option<Viewport>,
) -> Result<Reply, Failure> {
    let Resized { before, after, refused } = resized;
    let was = match before.state.as_str() {
        "maximized" | "minimized" | "fullscreen" => format!(", {}", before.state),
        _ => String::new(),
    };
    let mut own = format!(
        "The window is {} by {} pixels; it was {} by {}{was}.",
        after.width, after.height, before.width, before.height
    );
    let reached = (after.width, after.height) == (width, height) && after.state == "normal";
    if let Some(words) = refused.as_ref().filter(|_| !reached) {
        own.push_str(&format!(
            " The browser refused {width} by {height}. Retry: safe, with a size that fits the screen. Next step: take \
             another size, or go on with this one."
        ));
        return Err(Failure::tool(own).with_page("browser", words.clone()));
    }
    if !reached {
        own.push_str(&format!(
            " The window system gave it this size instead of {width} by {height}. Retry: does not help. Next step: go \
             on with this size."
        ));
    }
    if after.tabs > 1 {
        own.push_str(&format!(" The other tabs in it changed too ({}).", after.tabs - 1));
    }
    match viewport {
        Some(view) => {
            own.push_str(&format!(" The page has {} by {} CSS pixels.", view.width, view.height))
        }
        None => own.push_str(" What room the page has could not be asked."),
    }
    own.push_str(" Earlier screenshots no longer fit.");
    Ok(Reply { parts: vec![Part::Own(own)], structured: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::scripted::Scripted;
    use crate::tool::Target;
    use ghostlight_transport::bridge::Disposition;

    fn resize(arguments: Value, answer: Result<Value, RequestFault>) -> Result<String, Failure> {
        let browser = Scripted::new(move |method, params, effect| match method {
            "tab.resize" => {
                assert!(effect && params["width"].is_i64());
                answer.clone()
            }
            _ => Ok(json!({"value": {"page": {"viewport": {"width": 984, "height": 577.5}}}})),
        });
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let call = Call { arguments, target: Target::Tab(browser.tab(7)) };
        let reply = async_io::block_on((ROW.run)(call))?;
        let [Part::Own(text)] = &reply.parts[..] else { panic!("{reply:?}") };
        Ok(text.clone())
    }

    fn window(width: i64, height: i64, state: &str) -> Value {
        json!({"width": width, "height": height, "state": state, "tabs": 3})
    }

    #[test]
    fn what_the_window_system_made_of_it_is_told() {
        let asked = json!({"width": 1000, "height": 700.2});
        let cases = [
            (
                window(1280, 800, "normal"),
                window(1000, 700, "normal"),
                vec!["is 1000 by 700", "was 1280 by 800.", "(2)", "984 by 577.5"],
            ),
            (
                window(1400, 900, "maximized"),
                window(1000, 700, "normal"),
                vec!["was 1400 by 900, maximized"],
            ),
            (window(1400, 900, "EVIL"), window(1000, 700, "normal"), vec!["was 1400 by 900."]),
            (
                window(1280, 800, "normal"),
                window(1000, 650, "normal"),
                vec!["instead of 1000 by 700", "Retry: does not help"],
            ),
        ];
        for (before, after, words) in cases {
            let text =
                resize(asked.clone(), Ok(json!({"before": before, "after": after}))).unwrap();
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
            assert!(!text.contains("EVIL"));
        }
    }

    #[test]
    fn a_refusal_of_the_browser_is_none_of_ours_and_names_the_size_there_is() {
        let same = window(1280, 800, "normal");
        let answer = json!({"before": same, "after": same, "refused": "EVIL bounds"});
        let failure = resize(json!({"width": 9000, "height": 9000}), Ok(answer)).unwrap_err();
        assert_eq!(failure.disposition, Disposition::ToolFailure);
        assert!(failure.own.contains("is 1280 by 800") && !failure.own.contains("EVIL"));
        let old = RequestFault::unsent(FaultCode::Unsupported, "no method");
        let failure = resize(json!({"width": 900, "height": 900}), Err(old)).unwrap_err();
        assert!(failure.own.contains("too old"), "{}", failure.own);
    }

    #[test]
    fn a_size_that_no_window_has_is_not_asked_for() {
        for (width, height) in [(0.0, 700.0), (700.0, -1.0), (1e9, 700.0), (99.0, 700.0)] {
            let asked = json!({"width": width, "height": height});
            let failure = resize(asked, Ok(Value::Null)).unwrap_err();
            assert_eq!(failure.disposition, Disposition::NotDispatched);
            assert!(failure.own.contains("Retry: safe, with"));
        }
    }
}
