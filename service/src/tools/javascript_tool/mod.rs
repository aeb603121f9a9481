//! `javascript_tool`: a script in the page's own world, ended for certain, and what came of it.

mod script;
#[cfg(test)]
mod tests;
mod value;

use super::refusals::refused;
use super::watching::{Watched, Watching, observed};
use super::{ACTS, always_an_effect, at_most, frame};
use crate::render::{Happening, NOTHING, flat};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use frame::Frame;
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{SCRIPT, SCRIPT_MOST, SCRIPT_STOP, SCRIPT_VALUE, SETTLE};
use script::Script;
use serde::Deserialize;
use std::time::Duration;
use value::Told;

pub(crate) const ROW: Tool = Tool {
    name: "javascript_tool",
    title: "Run Page JavaScript",
    description: "Runs JavaScript in the page and gives the value of the last expression, or what a top-level return \
        gives; await works. Plain data comes as JSON, everything else in words, up to 50000 characters. A script that \
        does not end in its time is stopped.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["action","text","tabId"],"properties":{
"action":{"type":"string","description":"javascript_exec"},
"text":{"type":"string","description":"The script"},
"tabId":{"type":"number"},
"timeout_ms":{"type":"number","minimum":1,"description":"Default 20000, at most 40000"}}}"#,
    output: None,
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: always_an_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    action: String,
    text: String,
    timeout_ms: Option<f64>,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    if arguments.action != "javascript_exec" {
        return Err(Failure::not_dispatched(
            "The only action is javascript_exec. Nothing was run. Retry: safe, with action javascript_exec.",
        ));
    }
    if arguments.text.trim().is_empty() {
        return Err(Failure::not_dispatched(
            "The script is empty. Nothing was run. Retry: safe, with a script in text.",
        ));
    }
    let main = frame::main(&tab);
    let (watching, _) = Watching::begin(&tab, &main, (None, "the page"), Watched::Nothing).await?;
    let watching = watching.hasty();
    let time = time(&tab, arguments.timeout_ms);
    let script = Script::new(&tab, &main, tab.within(time));
    match tab.telling("the script runs", script.run(&arguments.text)).await {
        Ok(told) => {
            let seen = watching.end().await;
            ended(&tab, &main, told, &seen)
        }
        Err(fault) if !fault.sent || fault.lost => {
            watching.abandon().await;
            Err(refused(fault, "the page", &tab))
        }
        Err(fault) => {
            let seen = watching.end().await;
            broken_off(&tab, &main, (fault, time), &seen)
        }
    }
}

/// As asked, and within the tool's own time with all that follows the script.
fn time(tab: &OwnedTab, asked: Option<f64>) -> Duration {
    let asked = asked.map_or(SCRIPT, |millis| at_most(millis, SCRIPT_MOST));
    let after = SCRIPT_STOP + SCRIPT_VALUE + SETTLE;
    asked.min(tab.left(tab.deadline()).saturating_sub(after))
}

/// The script came to its end.
fn ended(tab: &OwnedTab, main: &Frame, told: Told, seen: &Happening) -> Result<Reply, Failure> {
    let noticed = noticed(tab, main, seen);
    if told.threw {
        let text: Vec<_> = told.text.into_iter().chain(noticed).collect();
        return Err(Failure::tool(told.own).with_page(main.origin.clone(), text.join("\n\n")));
    }
    let mut parts = vec![Part::Own(told.own)];
    parts.extend(told.text.map(|text| Part::Page { origin: main.origin.clone(), text }));
    parts.extend(noticed.map(|text| Part::Page { origin: tab.facts().doc.origin, text }));
    Ok(Reply { parts, structured: None })
}

fn noticed(tab: &OwnedTab, main: &Frame, seen: &Happening) -> Option<String> {
    let lines = observed(tab, main, seen);
    (lines != [NOTHING]).then(|| format!("observed afterwards:\n{}", lines.join("\n")))
}

/// The script did not come to its end, as far as anybody knows.
fn broken_off(
    tab: &OwnedTab,
    main: &Frame,
    (fault, time): (RequestFault, Duration),
    seen: &Happening,
) -> Result<Reply, Failure> {
    let own = match fault.code {
        FaultCode::DialogOpen => dialog(seen),
        FaultCode::Timeout => late(&fault, time),
        FaultCode::StaleDocument | FaultCode::Navigated => {
            let own = "The page was replaced by another document while the script ran, so the script is over and its \
                value is lost. Next step: read the page as it is now.";
            let told = Told { own: own.into(), text: None, threw: false };
            return ended(tab, main, told, seen);
        }
        _ => return Err(refused(fault, "the page", tab)),
    };
    let text = noticed(tab, main, seen);
    let failure = Failure::tool(own);
    Err(match text {
        Some(text) => failure.with_page(tab.facts().doc.origin, text),
        None => failure,
    })
}

fn dialog(seen: &Happening) -> String {
    let kind =
        seen.dialog.as_ref().map_or_else(String::new, |(kind, _)| format!(" ({})", flat(kind, 20)));
    format!(
        "The script runs, and a dialog of the page is open{kind}: the script goes on when it is answered, and its value \
         will not be told. Retry: do not repeat it before looking. Next step: answer the dialog with dialog."
    )
}

fn late(fault: &RequestFault, time: Duration) -> String {
    let stopped = fault.detail.as_ref().is_some_and(|detail| detail["stopped"] == true);
    let state = if stopped {
        "It was still computing and was stopped; what it did before stands."
    } else {
        "It still waits for something, and may go on when that comes; nobody waits for it any more."
    };
    format!(
        "The script did not end within {} ms. {state} The tab can be used. Retry: do not repeat it before looking. Next \
         step: look at the page; then run a shorter script, or one that does not wait.",
        time.as_millis()
    )
}
