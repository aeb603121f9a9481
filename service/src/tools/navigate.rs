//! `navigate`: to an address, or back and forward in the tab's history.

use super::address::{self, NoAddress, absolute};
use super::frame::{self, Frame};
use super::watching::until_ready;
use super::{ACTS, always_an_effect};
use crate::page::answers::Page;
use crate::render::{flat, quoted};
use crate::tab::{LoadState, OwnedTab, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{BROWSER_REQUEST, DIALOG_LEFT, DOCUMENT_READY, NAVIGATION};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

pub(crate) const ROW: Tool = Tool {
    name: "navigate",
    title: "Navigate",
    description: "Loads an address in a tab, or goes back or forward. Without a scheme, https is used (http for \
        localhost). Returns when the page can be read; a page that still loads is told as such. If the page asks whether \
        to leave, it stays, unless force is true.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["url","tabId"],"properties":{
"url":{"type":"string","description":"An http or https address, about:blank, back or forward"},
"tabId":{"type":"number"},
"force":{"type":"boolean","description":"Leave even if the page asks to stay"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["tabId","url","title","state"],"properties":{
"tabId":{"type":"number"},"url":{"type":"string"},"title":{"type":"string"},
"state":{"type":"string","enum":["ready","loading","download"]}}}"#,
    ),
    hints: ACTS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: always_an_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    url: String,
    #[serde(default)]
    force: bool,
}

/// The answer of `Page.navigate`, and of the history commands, which say nothing.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Navigated {
    loader_id: Option<String>,
    error_text: Option<String>,
    is_download: bool,
}

#[derive(Deserialize)]
struct Commanded<R> {
    result: R,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: usize,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: i64,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let command = match arguments.url.trim() {
        "back" => history(&tab, false).await?,
        "forward" => history(&tab, true).await?,
        address => ("Page.navigate", json!({ "url": absolute(address).map_err(no_address)? })),
    };
    travel(&tab, command, Leave { anyway: arguments.force, by: "force: true" }).await
}

/// What to do when the page asks whether to leave, and the argument that says so.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leave {
    pub(super) anyway: bool,
    pub(super) by: &'static str,
}

/// Sends the tab to another document by a command of the browser, and tells where it came to.
pub(super) async fn travel(
    tab: &OwnedTab,
    (method, params): (&'static str, Value),
    leave: Leave,
) -> Result<Reply, Failure> {
    let mark = tab.mark();
    let before = tab.facts().doc;
    let request = json!({ "method": method, "params": params });
    let answer = match tab.effect::<Commanded<Navigated>>("cdp", request, NAVIGATION).await {
        Ok(answer) => Some(answer.result),
        Err(fault) if fault.code == FaultCode::DialogOpen && fault.sent && !fault.lost => None,
        Err(fault) => return unanswered(tab, fault),
    };
    // History and reload say nothing by themselves, and neither does what a dialog interrupted.
    let loader = match &answer {
        Some(answer) if answer.is_download => return Ok(download(tab)),
        Some(Navigated { error_text: Some(error), .. }) if !error.is_empty() => {
            return Err(not_loaded(tab, error));
        }
        Some(answer) => answer.loader_id.clone(),
        None => None,
    };
    let within = method == "Page.navigate" && answer.is_some();
    if loader.is_none()
        && !within
        && let Some(reply) = awaited(tab, (mark, &before.loader_id), leave).await?
    {
        return Ok(reply);
    }
    let mut former = loader.as_ref().map(|_| before.loader_id);
    let mut ready = until_ready(tab, mark, former.as_deref()).await;
    if let Some(early) = loader.and_then(|loader| earlier_failure(tab, mark, &loader)) {
        ready = until_ready(tab, mark, Some(&early)).await;
        former = Some(early);
    }
    let facts = tab.facts();
    if former.is_none_or(|former| former != facts.doc.loader_id) {
        return arrived(tab, ready).await;
    }
    if facts.dialog.is_some() { Err(held()) } else { Ok(stayed(tab, mark).await) }
}

/// The error page that an earlier command led to, when it is told only now, before what this one asked for.
fn earlier_failure(tab: &OwnedTab, mark: u64, loader: &str) -> Option<String> {
    let doc = tab.facts().doc;
    let asked_for = |event: &TabEvent| matches!(event, TabEvent::Document { doc, .. } if doc.loader_id == loader);
    (doc.unreachable && !tab.events_since(mark).iter().any(asked_for)).then_some(doc.loader_id)
}

/// Waits for the next document, through the page's question whether to leave; a reply when none came.
async fn awaited(
    tab: &OwnedTab,
    before: (u64, &str),
    leave: Leave,
) -> Result<Option<Reply>, Failure> {
    let mut came = another(tab, before, DOCUMENT_READY).await;
    let after = (tab.mark(), before.1);
    if asks_to_leave(tab) {
        answer_leaving(tab, leave).await?;
        came = another(tab, after, NAVIGATION).await;
    } else if came == Came::Dialog {
        came = another(tab, after, DIALOG_LEFT).await;
    }
    match came {
        Came::Document => Ok(None),
        Came::Dialog | Came::Nothing if tab.facts().dialog.is_some() => Err(held()),
        _ => Ok(Some(stayed(tab, before.0).await)),
    }
}

fn held() -> Failure {
    Failure::tool(
        "A dialog of the page opened as it was about to be left; whether it is left is not known until that is answered. \
         Retry: not before looking. Next step: answer it with the dialog tool, then read the page.",
    )
}

/// No other document: a download, an address within the page, or nothing within its time.
async fn stayed(tab: &OwnedTab, mark: u64) -> Reply {
    let seen = tab.events_since(mark);
    if seen.iter().any(|event| matches!(event, TabEvent::Download)) {
        return download(tab);
    }
    let within = |event: &TabEvent| {
        matches!(event, TabEvent::Document { main: true, same_document: true, .. })
    };
    if seen.iter().any(within) {
        return reply(tab, "The address changed within the same page.", "ready", page(tab).await);
    }
    let own = "No other page has come yet: its server has not answered, or sends none. Next step: wait, then call \
         tabs_context_mcp or read the page.";
    reply(tab, own, "loading", None)
}

fn download(tab: &OwnedTab) -> Reply {
    reply(tab, "Started a download; the page in the tab has not changed.", "download", None)
}

async fn arrived(tab: &OwnedTab, ready: bool) -> Result<Reply, Failure> {
    let facts = tab.facts();
    if facts.doc.unreachable {
        return Err(not_loaded(tab, ""));
    }
    if let Some(dialog) = facts.dialog {
        let mut reply =
            reply(tab, "Loaded; the page opened a dialog and waits for it.", "loading", None);
        let text = format!("dialog: {}", crate::render::dialog(&dialog.kind, &dialog.message));
        reply.parts.push(Part::Page { origin: facts.doc.origin, text });
        return Ok(reply);
    }
    if !ready {
        return Ok(reply(
            tab,
            "The page is still loading. Next step: read it; what is there can already be used.",
            "loading",
            None,
        ));
    }
    let own = if facts.load >= Some(LoadState::Load) {
        "Loaded."
    } else {
        "The page can be read; parts of it are still loading."
    };
    let own = match status(tab) {
        Some(status) if status >= 400 => {
            format!("{own} The server answered with status {status}.")
        }
        _ => own.to_owned(),
    };
    Ok(reply(tab, &own, "ready", page(tab).await))
}

/// What the server answered when it was asked for the present document.
fn status(tab: &OwnedTab) -> Option<u16> {
    let loader = tab.facts().doc.loader_id;
    let observed = tab.observed();
    let observed = observed.borrow();
    // The request for a document has the number of its loader.
    let asked = observed.network.lines().rev().find(|line| line.request == loader)?;
    asked.head.as_ref().map(|head| head.status)
}

/// Address and title are those of one document: of the page that answered, else as the browser last said.
fn reply(tab: &OwnedTab, own: &str, state: &str, page: Option<(Frame, Page)>) -> Reply {
    let facts = tab.facts();
    let (origin, url, title) = match page {
        Some((frame, page)) => (frame.origin, frame.url, page.title),
        None => (facts.doc.origin, facts.doc.url, facts.title),
    };
    let structured = json!({ "tabId": tab.id(), "url": url, "title": title, "state": state });
    let text = format!("url: {}\ntitle: {}", quoted(&url, 500), quoted(&title, 200));
    let parts =
        vec![Part::Own(format!("{own} tabId {}, {state}.", tab.id())), Part::Page { origin, text }];
    Reply { parts, structured: Some(structured) }
}

async fn page(tab: &OwnedTab) -> Option<(Frame, Page)> {
    frame::ask_main(tab, "state", json!([])).await.ok()
}

pub(super) async fn history(
    tab: &OwnedTab,
    forward: bool,
) -> Result<(&'static str, Value), Failure> {
    let request = json!({ "method": "Page.getNavigationHistory" });
    let answer: Commanded<History> = tab.read("cdp", request, BROWSER_REQUEST).await?;
    let History { current_index, entries } = answer.result;
    let index = if forward { current_index.checked_add(1) } else { current_index.checked_sub(1) };
    let Some(entry) = index.and_then(|index| entries.get(index)) else {
        let way = if forward { "forward" } else { "back" };
        return Err(Failure::not_dispatched(format!(
            "The tab's history has nothing to go {way} to. Nothing was sent. Retry: does not help. \
             Next step: navigate to an address."
        )));
    };
    Ok(("Page.navigateToHistoryEntry", json!({ "entryId": entry.id })))
}

fn no_address(why: NoAddress) -> Failure {
    Failure::not_dispatched(match why {
        NoAddress::Empty => "url is empty. Nothing was sent. Retry: safe, with an address.".to_owned(),
        NoAddress::Malformed => "url is not an address. Nothing was sent. Retry: safe, with an address like https://example.com.".to_owned(),
        NoAddress::Scheme(scheme) => format!(
            "Addresses of the scheme {} are not for agents. Nothing was sent. Retry: does not help. \
             Next step: use an http or https address.",
            quoted(&scheme, 30)
        ),
    })
}

/// What ended the wait for another document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    Document,
    /// The same page at another address, a download, or the end of the tab.
    Else,
    Dialog,
    Nothing,
}

/// Waits for a document other than the one before; history within one page brings none, and a dialog holds it up.
async fn another(tab: &OwnedTab, (mark, loader): (u64, &str), within: Duration) -> Came {
    let deadline = tab.within(within);
    let mut mark = mark;
    loop {
        if tab.facts().doc.loader_id != loader {
            return Came::Document;
        }
        match tab.next_event(mark, deadline).await {
            Some((
                TabEvent::Document { main: true, same_document: true, .. }
                | TabEvent::Download
                | TabEvent::Gone,
                _,
            )) => return Came::Else,
            Some((TabEvent::Dialog(Some(_)), _)) => return Came::Dialog,
            Some((_, next)) => mark = next,
            None => return Came::Nothing,
        }
    }
}

pub(super) fn asks_to_leave(tab: &OwnedTab) -> bool {
    tab.facts().dialog.is_some_and(|dialog| dialog.kind == "beforeunload")
}

/// Answers the page's question: stay, unless the caller said otherwise.
pub(super) async fn answer_leaving(tab: &OwnedTab, leave: Leave) -> Result<(), Failure> {
    let params = json!({ "accept": leave.anyway });
    let request = json!({ "method": "Page.handleJavaScriptDialog", "params": params });
    match tab.effect::<Value>("cdp", request, BROWSER_REQUEST).await {
        // A tab that closes on this answer may be gone before it can say so.
        Err(fault) if leave.anyway && fault.sent && !fault.lost && left(fault.code) => {
            return Ok(());
        }
        Err(fault) => return Err(fault.into()),
        Ok(_) if leave.anyway => return Ok(()),
        Ok(_) => {}
    }
    let by = leave.by;
    Err(Failure::tool(format!(
        "The page asked whether to leave, because something in it is not saved, and it stayed. \
         Retry: safe, with {by} if what is not saved may be lost. Next step: save it first, or ask the person."
    )))
}

fn left(code: FaultCode) -> bool {
    matches!(code, FaultCode::TabClosed | FaultCode::Detached | FaultCode::StaleDocument)
}

/// The request gave no value: a slow server is not a failure of the tab.
fn unanswered(tab: &OwnedTab, fault: RequestFault) -> Result<Reply, Failure> {
    match fault.code {
        FaultCode::Timeout if fault.sent && !fault.lost => Ok(reply(
            tab,
            "The server has not answered yet; the tab goes on loading and still shows the former page. \
             Next step: wait, then call tabs_context_mcp or read the page.",
            "loading",
            None,
        )),
        FaultCode::RestrictedPage => Err(Failure::not_dispatched(
            "The browser or its owner keeps this address from agents. Nothing was sent. Retry: does not help. \
             Next step: use an http or https address.",
        )),
        _ => Err(fault.into()),
    }
}

fn not_loaded(tab: &OwnedTab, error: &str) -> Failure {
    let (cause, retry) = address::failure(error);
    let name = if error.is_empty() { String::new() } else { format!(" ({})", flat(error, 60)) };
    Failure::tool(format!(
        "{cause}{name}. The tab shows the browser's error page, or stayed where it was. {retry} \
         Next step: check the address and navigate again. tabId {}.",
        tab.id()
    ))
}

#[cfg(test)]
mod tests;
