//! `tab_control`: a tab put in front, loaded again, moved through its history, or closed.

use super::navigate::{self, Leave, answer_leaving, asks_to_leave};
use super::{ACTS, always_an_effect};
use crate::tab::{OwnedTab, TabEvent};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::BROWSER_REQUEST;
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) const ROW: Tool = Tool {
    name: "tab_control",
    title: "Control Ghostlight Tab",
    description: "Puts a tab of yours in front of its window, loads it again, goes back or forward in its history, or \
        closes it. If the page asks whether to leave, it stays, unless unload is accept.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId","action"],"properties":{
"tabId":{"type":"number"},
"action":{"type":"string","enum":["focus","reload","close","back","forward"]},
"unload":{"type":"string","enum":["dismiss","accept"],"description":"Answer to a page that asks before it is left; default dismiss"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["tabId","state"],"properties":{
"tabId":{"type":"number"},
"state":{"type":"string","enum":["focused","closed","ready","loading","download"]},
"url":{"type":"string"},"title":{"type":"string"},
"tabsLeft":{"type":"number","description":"After close"}}}"#,
    ),
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: always_an_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    action: String,
    unload: Option<String>,
}

/// The parts of the answers that are told.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Answer {
    tabs: Vec<Value>,
    /// It was the browser's last tab: an empty one was left in its place.
    left: bool,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    if arguments.action == "focus" && arguments.unload.is_some() {
        return Err(Failure::not_dispatched(
            "`unload` goes with reload, close, back and forward. Nothing was sent. Retry: safe, with focus alone.",
        ));
    }
    let anyway = arguments.unload.as_deref() == Some("accept");
    let leave = Leave { anyway, by: "unload: accept" };
    let command = match arguments.action.as_str() {
        "focus" => return focus(&tab).await,
        "close" => return close(&tab, leave).await,
        "back" => navigate::history(&tab, false).await?,
        "forward" => navigate::history(&tab, true).await?,
        _ => ("Page.reload", json!({})),
    };
    navigate::travel(&tab, command, leave).await
}

async fn focus(tab: &OwnedTab) -> Result<Reply, Failure> {
    tab.effect::<Value>("tab.focus", json!({ "window": false }), BROWSER_REQUEST).await?;
    let own = format!("tabId {} is in front of its window now.", tab.id());
    let structured = json!({ "tabId": tab.id(), "state": "focused" });
    Ok(Reply { parts: vec![Part::Own(own)], structured: Some(structured) })
}

async fn close(tab: &OwnedTab, leave: Leave) -> Result<Reply, Failure> {
    // Asked before: after the close the tab is nobody's.
    let listed: Answer = tab.read("tab.list", json!({}), BROWSER_REQUEST).await?;
    let others = listed.tabs.iter().filter(|row| row["tabId"] != tab.native()).count();
    let mark = tab.mark();
    let mut said = "";
    let answer = match tab
        .effect::<Answer>(
            "tab.release",
            json!({ "close": true, "force": leave.anyway }),
            BROWSER_REQUEST,
        )
        .await
    {
        Ok(answer) => answer,
        Err(fault) if fault.code == FaultCode::DialogOpen && fault.sent && asks_to_leave(tab) => {
            answer_leaving(tab, leave).await?;
            said = " The page asked whether to leave; the answer was yes.";
            gone(tab, mark).await?;
            Answer::default()
        }
        Err(fault) if fault.code == FaultCode::DialogOpen && !fault.lost => {
            return Err(blocked(tab, fault.sent));
        }
        Err(fault) => return Err(fault.into()),
    };
    let left = match (others, answer.left) {
        (_, true) => " It was the browser's last tab, so an empty one was left to the person.",
        (0, false) => " The workspace has no tabs left. Next step: tabs_create_mcp opens one.",
        _ => "",
    };
    let own = format!("Closed tabId {}.{said}{left}", tab.id());
    let structured = json!({ "tabId": tab.id(), "state": "closed", "tabsLeft": others });
    Ok(Reply { parts: vec![Part::Own(own)], structured: Some(structured) })
}

/// The answer was yes; the tab is closed when the browser says so.
async fn gone(tab: &OwnedTab, mark: u64) -> Result<(), Failure> {
    let deadline = tab.within(BROWSER_REQUEST);
    let mut at = mark;
    while let Some((event, next)) = tab.next_event(at, deadline).await {
        if matches!(event, TabEvent::Gone) {
            return Ok(());
        }
        at = next;
    }
    Err(Failure::unknown(
        "The page asked whether to leave and was told yes, but the browser has not said that the tab is closed. Retry: do \
         not retry it. Next step: call tabs_context_mcp to see whether it is.",
    ))
}

/// A dialog that is no question about leaving holds the tab.
fn blocked(tab: &OwnedTab, sent: bool) -> Failure {
    let what = if sent { "the page opened it instead of closing" } else { "it was open before" };
    let failure = Failure::tool(format!(
        "The tab was not closed: a dialog of the page is open ({what}). Retry: safe, after it is answered. \
         Next step: answer it with the dialog tool, or close the tab with it by unload: accept."
    ));
    match tab.facts().dialog {
        Some(dialog) => failure.with_page(
            tab.facts().doc.origin,
            format!("dialog: {}", crate::render::dialog(&dialog.kind, &dialog.message)),
        ),
        None => failure,
    }
}

#[cfg(test)]
mod tests;
