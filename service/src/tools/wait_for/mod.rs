//! `wait_for`: until an element, a text, an address or the page's rest is there, or gone, within a bound.

mod look;
mod told;

#[cfg(test)]
mod tests;

use super::{READS, at_most, no_effect};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::{Call, Failure, Lane, Reply, Tool};
use ghostlight_transport::bridge::{Disposition, WorkspaceUse};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{WAIT, WAIT_MOST, WAIT_SLICE};
use look::{Look, Stand};
use serde::Deserialize;
use std::time::{Duration, Instant};

pub(crate) const ROW: Tool = Tool {
    name: "wait_for",
    title: "Wait for Page State",
    description: "Waits until what fits selector and text, in any frame, is visible (default), present or gone, the \
        address contains url (or no longer, with gone), or the page is settled: loaded and at rest. Gone counts what \
        cannot be seen. Tells after timeout_ms what is missing.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId"],"properties":{
"tabId":{"type":"number"},
"selector":{"type":"string","description":"CSS"},
"text":{"type":"string","description":"Part of the visible text, in any case"},
"url":{"type":"string","description":"Part of the tab's address"},
"state":{"type":"string","enum":["visible","present","gone","settled"]},
"timeout_ms":{"type":"number","minimum":0,"description":"Default 10000, at most 30000"},
"min_ms":{"type":"number","minimum":0,"description":"Begin to look after this time, within timeout_ms"},
"settle":{"type":"boolean","description":"Once it is so, also let the page come to rest; default true"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["found","elapsed_ms"],"properties":{
"found":{"type":"boolean"},"elapsed_ms":{"type":"number"},
"ref":{"type":"string"},"settled":{"type":"boolean"}}}"#,
    ),
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
struct Arguments {
    selector: Option<String>,
    text: Option<String>,
    url: Option<String>,
    state: Option<String>,
    timeout_ms: Option<f64>,
    min_ms: Option<f64>,
    settle: Option<bool>,
}

/// What is waited for.
#[derive(Debug)]
struct Wanted {
    selector: Option<String>,
    text: Option<String>,
    url: Option<String>,
    state: &'static str,
}

impl Wanted {
    fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let given = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let [selector, text, url] =
            [&arguments.selector, &arguments.text, &arguments.url].map(given);
        let nothing = selector.is_none() && text.is_none() && url.is_none();
        let state = match arguments.state.as_deref() {
            Some("settled") => "settled",
            Some("gone") => "gone",
            Some("present") => "present",
            None if nothing && arguments.min_ms.is_some() => "settled",
            _ => "visible",
        };
        if nothing != (state == "settled") {
            return Err(Failure::not_dispatched(
                "Name what to wait for: selector, text or url, or state settled alone. Nothing was waited for. \
                 Retry: safe, with one of them.",
            ));
        }
        Ok(Self { selector, text, url, state })
    }

    /// Whether something in the documents is waited for, not only an address.
    fn is_inside(&self) -> bool {
        self.selector.is_some() || self.text.is_some()
    }
}

/// The time of one wait.
struct Span {
    began: Instant,
    until: Instant,
    total: Duration,
}

fn span(given: Option<f64>, default: Duration) -> Duration {
    given.map_or(default, |millis| at_most(millis, WAIT_MOST))
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let wanted = Wanted::of(&arguments)?;
    let look = Look::new(&tab, &wanted);
    let total = span(arguments.timeout_ms, WAIT);
    let time = Span { began: tab.within(Duration::ZERO), until: tab.within(total), total };
    let least = tab.within(span(arguments.min_ms, Duration::ZERO)).min(time.until);
    let stand = tab.telling("waiting", wait(&tab, &look, (least, time.until))).await?;
    let rest = arguments.settle.unwrap_or(true) && stand.met && wanted.state != "settled";
    let settled = if rest { Some(look.comes_to_rest(&stand).await) } else { None };
    Ok(told::reply(&tab, &wanted, &time, (&stand, settled)))
}

/// Slices short enough that a new frame, another document, a dialog and the end of the call are seen.
async fn wait(
    tab: &OwnedTab,
    look: &Look<'_>,
    (least, until): (Instant, Instant),
) -> Result<Stand, Failure> {
    while !tab.left(least).is_zero() && !tab.cancelled() {
        tab.rest(tab.left(least).min(WAIT_SLICE)).await;
    }
    loop {
        if tab.cancelled() {
            return Err(cancelled());
        }
        still_there(tab)?;
        if tab.facts().dialog.is_some() {
            return Err(told::dialog(tab));
        }
        let mark = tab.mark();
        let slice = tab.left(until).min(WAIT_SLICE);
        let next = tab.within(slice);
        let stand = look.at(slice).await?;
        still_there(tab)?;
        if stand.met || tab.left(until).is_zero() {
            return Ok(stand);
        }
        // A look that ended early saw too little: another document is on its way, a dialog opened, or there are
        // too many frames. The browser says so soon.
        tab.next_event(mark, next).await;
    }
}

/// What is known of a closed tab stays as it was last: no waiting ends with it.
fn still_there(tab: &OwnedTab) -> Result<(), RequestFault> {
    if tab.is_there(tab.id()) {
        Ok(())
    } else {
        Err(RequestFault::unsent(FaultCode::TabClosed, ""))
    }
}

fn cancelled() -> Failure {
    Failure {
        disposition: Disposition::Cancelled,
        own: "The call was cancelled while it waited. Nothing was done. Retry: safe. Next step: none."
            .into(),
        page: None,
    }
}
