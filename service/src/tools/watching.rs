//! One action from before it begins until what it did has been seen: armed, done, settled, told.

use super::frame::{self, Frame};
use super::refusals::refused;
use crate::page::answers::{Armed, Outcome, Page};
use crate::render::{Happening, NOTHING, OTHER_PROGRAM, flat, loads_a_page, quoted, receipt};
use crate::tab::observed::{Awaits, NetworkLine};
use crate::tab::{LoadState, OwnedTab, RequestFault, TabEvent};
use crate::tool::{Failure, Part};
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{
    BROWSER_REQUEST, DIALOG_LEFT, DOCUMENT_READY, OPENING, PAGE_CALL, SETTLE, SETTLE_BODY,
    SETTLE_QUIET, SETTLE_REQUESTS,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug)]
pub(crate) struct Watching<'t> {
    tab: &'t OwnedTab,
    frame: Frame,
    /// The main document when the action began.
    loader: String,
    mark: u64,
    /// The last request that the tab had made by then.
    asked: Option<u64>,
    /// Only what has begun by the end of the action is waited for.
    hasty: bool,
}

#[derive(Deserialize)]
struct Listed {
    tabs: Vec<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Status {
    tab_id: i64,
    status: String,
}

/// What about the pointer is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Watched {
    Nothing,
    /// The next press must reach the subject.
    Press,
    /// It must, and how far the subject comes is told.
    Drag,
    /// The next move must.
    Hover,
}

impl Watched {
    fn options(self) -> Value {
        let presses = matches!(self, Self::Press | Self::Drag);
        json!({ "pointer": presses, "hover": self == Self::Hover, "drag": self == Self::Drag })
    }
}

impl<'t> Watching<'t> {
    /// `key` none: the focused element is the subject.
    pub(crate) async fn begin(
        tab: &'t OwnedTab,
        frame: &Frame,
        subject: (Option<u64>, &str),
        watched: Watched,
    ) -> Result<(Self, Armed), Failure> {
        let mark = tab.mark();
        let loader = tab.facts().doc.loader_id;
        let asked = tab.observed().borrow().network.lines().next_back().map(|line| line.number);
        let (key, label) = subject;
        let armed = frame
            .ask(tab, "arm", json!([key, watched.options()]))
            .await
            .map_err(|fault| refused(fault, label, tab))?;
        Ok((Self { tab, frame: frame.clone(), loader, mark, asked, hasty: false }, armed))
    }

    /// For an action that may as well have read only: the page is not waited for until it rests.
    pub(crate) fn hasty(mut self) -> Self {
        self.hasty = true;
        self
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Nothing was done after all.
    pub(crate) async fn abandon(self) {
        let _ = self.frame.ask::<Value>(self.tab, "disarm", json!([])).await;
    }

    /// Goes on after what was done; nothing is watched any more when that failed.
    pub(crate) async fn after<T, E>(self, done: Result<T, E>) -> Result<(Self, T), E> {
        match done {
            Ok(value) => Ok((self, value)),
            Err(failure) => {
                self.abandon().await;
                Err(failure)
            }
        }
    }

    /// Waits until the page is at rest, within bounds, and gathers what was seen.
    pub(crate) async fn end(self) -> Happening {
        let mut seen = Happening::default();
        if self.tab.facts().dialog.is_none() {
            self.ask_page(&mut seen).await;
        }
        if self.navigated() {
            self.arrive(&mut seen).await;
        }
        self.await_opened().await;
        self.gather(&mut seen);
        seen
    }

    async fn ask_page(&self, seen: &mut Happening) {
        match self.outcome().await {
            Ok(outcome) => {
                if let Some(target) = &outcome.leaving {
                    self.await_departure(target, seen).await;
                }
                if !self.hasty && !outcome.unarmed {
                    let awaits = self.awaits();
                    seen.awaiting = awaits == Awaits::Answer;
                    seen.unread = awaits == Awaits::Body;
                }
                seen.outcome = Some(outcome);
            }
            Err(fault) => self.explain(&fault, seen).await,
        }
    }

    /// The page as it comes to rest: once more for as long as what it asked for is on its way.
    async fn outcome(&self) -> Result<Outcome, RequestFault> {
        let until = self.tab.within(SETTLE_REQUESTS);
        let mut answered = None;
        if self.hasty {
            return self.ask_outcome(false).await;
        }
        loop {
            let answer = self.ask_outcome(true).await?;
            let awaits = self.awaits();
            if answer.leaving.is_some() || answer.unarmed || awaits == Awaits::Nothing {
                let _ = self.frame.ask::<Value>(self.tab, "disarm", json!([])).await;
                return Ok(answer);
            }
            let until = if awaits == Awaits::Body {
                *answered.get_or_insert(self.tab.within(SETTLE_BODY).min(until))
            } else {
                answered = None;
                until
            };
            if self.tab.within(Duration::ZERO) >= until || self.tab.cancelled() {
                return self.ask_outcome(false).await;
            }
        }
    }

    async fn ask_outcome(&self, keep: bool) -> Result<Outcome, RequestFault> {
        let millis = |span: Duration| u64::try_from(span.as_millis()).unwrap_or_default();
        let quiet = if self.hasty { Duration::ZERO } else { SETTLE_QUIET };
        let args = json!([{ "quietMs": millis(quiet), "capMs": millis(SETTLE), "keep": keep }]);
        self.frame.ask_within(self.tab, ("outcome", args), SETTLE + PAGE_CALL).await
    }

    /// What of the data and code that was asked for since the action began has not arrived.
    fn awaits(&self) -> Awaits {
        let observed = self.tab.observed();
        let observed = observed.borrow();
        let since =
            observed.network.lines().rev().take_while(|line| Some(line.number) > self.asked);
        since.map(NetworkLine::awaits).max().unwrap_or(Awaits::Nothing)
    }

    /// A navigation has begun: the next document, a download or nothing within the time a server may take.
    async fn await_departure(&self, target: &str, seen: &mut Happening) {
        if !loads_a_page(target) {
            seen.refused = Some(target.to_owned());
            return;
        }
        let mut deadline = self.tab.within(PAGE_CALL);
        let mut mark = self.mark;
        while let Some((event, next)) = self.tab.next_event(mark, deadline).await {
            mark = next;
            match event {
                TabEvent::Document { doc, main, same_document: false }
                    if main || doc.frame_id == self.frame.frame_id =>
                {
                    seen.replaced = !main;
                    return;
                }
                TabEvent::Download | TabEvent::Dialog(Some(_)) | TabEvent::Gone => return,
                TabEvent::Stopped { frame_id } if frame_id == self.frame.frame_id => {
                    // A download says so a moment after.
                    deadline = self.tab.within(SETTLE_QUIET);
                    seen.refused = Some(target.to_owned());
                }
                _ => {}
            }
        }
        seen.loading = seen.refused.is_none();
    }

    async fn explain(&self, fault: &RequestFault, seen: &mut Happening) {
        match fault.code {
            FaultCode::StaleDocument | FaultCode::Navigated => {
                let inner = self.frame.parent_id.is_some();
                let within = if inner { SETTLE_QUIET } else { SETTLE };
                seen.replaced = !self.tab.replaced(&self.loader, within).await;
            }
            FaultCode::TabClosed | FaultCode::NotAdopted => seen.closed = true,
            FaultCode::Detached => {
                let events = self.tab.events_since(self.mark);
                seen.closed = events.iter().any(|event| matches!(event, TabEvent::Gone));
            }
            FaultCode::Timeout => seen.loading = self.is_loading().await,
            _ => {}
        }
        seen.unseen = !seen.loading
            && !seen.closed
            && !seen.replaced
            && !self.navigated()
            && self.tab.facts().dialog.is_none();
    }

    /// While a navigation waits for its server, the page cannot be asked; the browser can.
    async fn is_loading(&self) -> bool {
        let listed = self.tab.read::<Listed>("tab.list", json!({}), BROWSER_REQUEST).await;
        listed.is_ok_and(|listed| {
            listed.tabs.iter().any(|tab| tab.tab_id == self.tab.native() && tab.status == "loading")
        })
    }

    fn navigated(&self) -> bool {
        self.tab.facts().doc.loader_id != self.loader
    }

    /// Until the new document can be read.
    async fn arrive(&self, seen: &mut Happening) {
        let ready = until_ready(self.tab, self.mark, None).await;
        let main = frame::main(self.tab);
        seen.navigation = Some((main.url.clone(), ready));
        if ready && self.tab.facts().dialog.is_none() {
            let page: Option<Page> = main.ask(self.tab, "state", json!([])).await.ok();
            seen.outcome = page.map(|page| Outcome {
                unarmed: true,
                settled: true,
                page,
                hit: hit_of(seen),
                ..Outcome::default()
            });
        }
    }

    /// What the page asked to open is ours a moment after it is there.
    async fn await_opened(&self) {
        let deadline = self.tab.within(OPENING);
        let (mut mark, mut missing) = (self.mark, 0);
        loop {
            missing = unopened(missing, &self.tab.events_since(mark));
            mark = self.tab.mark();
            if missing == 0 || self.tab.cancelled() || !self.tab.is_there(self.tab.id()) {
                return;
            }
            if self.tab.next_event(mark, deadline).await.is_none() {
                return;
            }
        }
    }

    fn gather(&self, seen: &mut Happening) {
        seen.dialog = self.tab.facts().dialog.map(|dialog| (dialog.kind, dialog.message));
        let events = self.tab.events_since(self.mark);
        seen.unopened = unopened(0, &events) > 0;
        for event in events {
            match event {
                TabEvent::Opened { tab } if self.tab.is_there(tab) => seen.opened.push(tab),
                TabEvent::Opened { .. } | TabEvent::Opening { failed: true } => seen.passed = true,
                TabEvent::Download => (seen.download, seen.refused) = (true, None),
                TabEvent::Gone => seen.closed = true,
                TabEvent::Chooser { .. } => seen.chooser = true,
                _ => {}
            }
        }
    }
}

/// How many of the tabs that were asked for have neither come nor failed, `before` of them from before.
fn unopened(before: usize, events: &[TabEvent]) -> usize {
    events.iter().fold(before, |missing, event| match event {
        TabEvent::Opening { failed: false } => missing + 1,
        // What a former action asked for may come now.
        TabEvent::Opening { .. } | TabEvent::Opened { .. } => missing.saturating_sub(1),
        _ => missing,
    })
}

fn hit_of(seen: &Happening) -> String {
    seen.outcome.as_ref().map(|outcome| outcome.hit.clone()).unwrap_or_default()
}

/// Whether the main document, or the one after `former`, came to where it can be read, within its time.
pub(crate) async fn until_ready(tab: &OwnedTab, mark: u64, former: Option<&str>) -> bool {
    let deadline = tab.within(DOCUMENT_READY);
    let (begun, mut mark, mut left) = (mark, mark, None);
    loop {
        let facts = tab.facts();
        let is_it = former.is_none_or(|former| facts.doc.loader_id != former);
        if is_it && facts.load >= Some(LoadState::Dom) {
            return true;
        }
        let asked = facts.dialog.is_some();
        if asked && is_it && !of_former(tab, begun) {
            return false;
        }
        // A dialog that ends with its page has its moment from when it is seen.
        left = asked.then(|| left.unwrap_or(tab.within(DIALOG_LEFT).min(deadline)));
        match tab.next_event(mark, left.unwrap_or(deadline)).await {
            Some((TabEvent::Gone, _)) | None => return false,
            Some((_, next)) => mark = next,
        }
    }
}

/// Whether the dialog opened before the present document came: then it ends with the former one.
fn of_former(tab: &OwnedTab, mark: u64) -> bool {
    let events = tab.events_since(mark);
    let opened = events.iter().rposition(|event| matches!(event, TabEvent::Dialog(Some(_))));
    let came = events.iter().rposition(|event| {
        matches!(event, TabEvent::Document { main: true, same_document: false, .. })
    });
    opened.is_some() && opened < came
}

/// The parts of a result that tells `headline` and what was seen.
pub(crate) fn told(tab: &OwnedTab, frame: &Frame, headline: String, seen: &Happening) -> Vec<Part> {
    let asked = tab.memory().borrow().program.clone();
    let mut lines = observed(tab, frame, seen);
    let origin = tab.facts().doc.origin;
    let hit = hit_of(seen);
    let unheard = hit == "none" || (lines == [NOTHING] && hit != "verified");
    if unheard && asked.as_ref() == Some(&origin) {
        lines.push(OTHER_PROGRAM.into());
    }
    vec![
        Part::Own(headline),
        Part::Page { origin, text: format!("observed afterwards:\n{}", lines.join("\n")) },
    ]
}

/// What was seen, one fact a line.
pub(crate) fn observed(tab: &OwnedTab, frame: &Frame, seen: &Happening) -> Vec<String> {
    let memory = tab.memory();
    let mut memory = memory.borrow_mut();
    let origin = tab.facts().doc.origin;
    if seen.refused.as_ref().is_some_and(|url| !loads_a_page(url)) {
        memory.program = Some(origin);
    } else if memory.program.as_ref().is_some_and(|asked| *asked != origin) {
        memory.program = None;
    }
    receipt(seen, |key| {
        format!("ref_{}", memory.refs.number(&frame.frame_id, &frame.loader_id, key))
    })
}

/// Words for what the pointer reached, where it was not what it was meant for.
pub(crate) fn missed(tab: &OwnedTab, label: &str, seen: &Happening) -> Option<Failure> {
    let outcome = seen.outcome.as_ref()?;
    let own = match outcome.hit.as_str() {
        "intercepted" => format!(
            "Another element slipped over {label} as the pointer came; the press was stopped before it reached anything. \
             Retry: safe. Next step: read the page again and act on what is in front first."
        ),
        "moved" => format!(
            "{label} moved away as the pointer came; the press was stopped before it reached anything. \
             Retry: safe. Next step: wait until the page is at rest, then try again."
        ),
        _ => return None,
    };
    let by = outcome
        .by
        .as_ref()
        .map(|by| format!("in its place: {} {}", flat(&by.role, 40), quoted(&by.name, 80)));
    let failure = Failure::tool(own);
    Some(match by {
        Some(text) => failure.with_page(tab.facts().doc.origin, text),
        None => failure,
    })
}

#[cfg(test)]
mod tests;
