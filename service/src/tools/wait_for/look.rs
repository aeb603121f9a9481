//! One look at every frame of the tab: how things stand now, or after a slice of time.

use super::Wanted;
use crate::tab::observed::Awaits;
use crate::tab::{LoadState, OwnedTab, RequestFault};
use crate::tool::Failure;
use crate::tools::frame::{self, Frame};
use crate::tools::refusals::refused;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::limits::{
    FRAMES_READ, SETTLE, SETTLE_QUIET, SETTLE_REQUESTS, WAIT_ANSWER, WAIT_QUIET,
};
use serde_json::{Value, json};
use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::{Duration, Instant};

/// How things stand.
#[derive(Debug, Default)]
pub(super) struct Stand {
    pub(super) met: bool,
    /// The element that fits, or that is still there.
    pub(super) element: Option<(Frame, Value)>,
    /// What fits is there and cannot be seen.
    pub(super) hidden: bool,
    pub(super) loading: bool,
    /// Requests of the page on their way.
    pub(super) requests: usize,
    /// Some document did not answer: it goes away, computes, or a dialog holds it.
    pub(super) unanswered: bool,
    /// Frames beyond those that are looked at.
    pub(super) beyond: usize,
    /// The address is not as wanted.
    pub(super) elsewhere: bool,
}

pub(super) struct Look<'t> {
    tab: &'t OwnedTab,
    wanted: &'t Wanted,
    /// The last request before the wait.
    asked: Option<u64>,
    /// Requests from before it are waited for until then: some never end.
    patience: Instant,
}

type Answered = (usize, Result<Value, RequestFault>);
type Asking<'f> = Pin<Box<dyn Future<Output = Answered> + 'f>>;

impl<'t> Look<'t> {
    pub(super) fn new(tab: &'t OwnedTab, wanted: &'t Wanted) -> Self {
        let asked = tab.observed().borrow().network.lines().next_back().map(|line| line.number);
        Self { tab, wanted, asked, patience: tab.within(SETTLE_REQUESTS) }
    }

    /// As soon as it is so, or how it stands after the slice.
    pub(super) async fn at(&self, slice: Duration) -> Result<Stand, Failure> {
        if self.wanted.state == "settled" {
            return self.rest(slice).await;
        }
        let mark = self.tab.mark();
        if !self.address_fits() {
            self.tab.next_event(mark, self.tab.within(slice)).await;
        }
        let elsewhere = !self.address_fits();
        if elsewhere || !self.wanted.is_inside() {
            return Ok(Stand { met: !elsewhere, elsewhere, ..Stand::default() });
        }
        let stand = self.inside(slice).await?;
        if stand.met && self.wanted.state == "gone" {
            // In each frame at a time of its own: is it so in all of them?
            return self.inside(Duration::ZERO).await;
        }
        let elsewhere = !self.address_fits();
        Ok(Stand { met: stand.met && !elsewhere, elsewhere, ..stand })
    }

    fn address_fits(&self) -> bool {
        let Some(part) = &self.wanted.url else { return true };
        self.tab.facts().doc.url.contains(part.as_str()) != (self.wanted.state == "gone")
    }

    async fn frames(&self) -> Result<(Vec<Frame>, usize), Failure> {
        match frame::all(self.tab).await {
            Ok(mut frames) => {
                let beyond = frames.len().saturating_sub(FRAMES_READ);
                frames.truncate(FRAMES_READ);
                Ok((frames, beyond))
            }
            Err(fault) if is_over(&fault) || self.is_elsewhere(&fault) => {
                Err(refused(fault, "the page", self.tab))
            }
            Err(_) => Ok((Vec::new(), 0)),
        }
    }

    /// Whether the cause lies outside of the page; its own dialog is told by the next look.
    fn is_elsewhere(&self, fault: &RequestFault) -> bool {
        match fault.code {
            FaultCode::DialogOpen => self.tab.facts().dialog.is_none(),
            code => {
                matches!(code, FaultCode::TabDiscarded | FaultCode::Detached | FaultCode::Busy)
            }
        }
    }

    async fn inside(&self, slice: Duration) -> Result<Stand, Failure> {
        let (frames, beyond) = self.frames().await?;
        let Wanted { selector, text, state, .. } = self.wanted;
        let ask = json!([{ "selector": selector, "text": text, "state": state, "withinMs": millis(slice) }]);
        let gone = *state == "gone";
        let asks = frames.iter().enumerate().map(|(n, frame)| {
            let call = ("awaitState", ask.clone());
            let asking =
                async move { (n, frame.ask_within(self.tab, call, slice + WAIT_ANSWER).await) };
            Box::pin(asking) as Asking<'_>
        });
        let answers = gather(asks.collect(), |answer| !gone && answer["met"] == true).await;
        let mut stand = Stand { beyond, loading: self.loads(), ..Stand::default() };
        stand.unanswered = frames.is_empty();
        let mut met = 0;
        for (n, answer) in answers {
            match answer {
                Ok(answer) => {
                    met += usize::from(answer["met"] == true);
                    stand.hidden |= answer["hidden"].is_number();
                    let tells = (answer["met"] == true) != gone && answer["key"].is_number();
                    if tells && stand.element.is_none() {
                        stand.element = Some((frames[n].clone(), answer));
                    }
                }
                Err(fault) if fault.code == FaultCode::Page && fault.message == "bad_selector" => {
                    return Err(bad_selector());
                }
                Err(fault) if is_over(&fault) => return Err(refused(fault, "the page", self.tab)),
                Err(_) => stand.unanswered = true,
            }
        }
        stand.met = if gone { met == frames.len() && beyond == 0 && met > 0 } else { met > 0 };
        Ok(stand)
    }

    fn loads(&self) -> bool {
        self.tab.facts().load < Some(LoadState::Load)
    }

    /// Loaded, nothing asked for on its way, and no frame changing for a while.
    async fn rest(&self, slice: Duration) -> Result<Stand, Failure> {
        let (frames, beyond) = self.frames().await?;
        let most = slice.max(WAIT_QUIET);
        let ask = json!([{ "quietMs": millis(WAIT_QUIET), "capMs": millis(most) }]);
        let asks = frames.iter().enumerate().map(|(n, frame)| {
            let call = ("settle", ask.clone());
            let asking =
                async move { (n, frame.ask_within(self.tab, call, most + WAIT_ANSWER).await) };
            Box::pin(asking) as Asking<'_>
        });
        let answers = gather(asks.collect(), |_| false).await;
        let mut stand =
            Stand { beyond, loading: self.loads(), requests: self.requests(), ..Stand::default() };
        stand.unanswered = frames.is_empty();
        let mut quiet = true;
        for (_, answer) in answers {
            match answer {
                Ok(answer) => quiet &= answer["settled"] == true,
                Err(fault) if is_over(&fault) => return Err(refused(fault, "the page", self.tab)),
                Err(_) => stand.unanswered = true,
            }
        }
        stand.met = quiet && !stand.loading && stand.requests == 0 && !stand.unanswered;
        Ok(stand)
    }

    /// Data and code that the page asked for and that has not come.
    fn requests(&self) -> usize {
        let observed = self.tab.observed();
        let observed = observed.borrow();
        let patient = !self.tab.left(self.patience).is_zero();
        let lines =
            observed.network.lines().filter(|line| patient || Some(line.number) > self.asked);
        lines.filter(|line| line.awaits() == Awaits::Answer).count()
    }

    /// Whether the frame of what was found stops changing soon.
    pub(super) async fn comes_to_rest(&self, stand: &Stand) -> bool {
        let main = frame::main(self.tab);
        let frame = stand.element.as_ref().map_or(&main, |(frame, _)| frame);
        let ask = json!([{ "quietMs": millis(SETTLE_QUIET), "capMs": millis(SETTLE) }]);
        let answer: Result<Value, _> =
            frame.ask_within(self.tab, ("settle", ask), SETTLE + WAIT_ANSWER).await;
        answer.is_ok_and(|answer| answer["settled"] == true)
    }
}

/// Faults that no waiting cures.
fn is_over(fault: &RequestFault) -> bool {
    matches!(
        fault.code,
        FaultCode::TabClosed
            | FaultCode::NotAdopted
            | FaultCode::Crashed
            | FaultCode::Cancelled
            | FaultCode::Stopped
            | FaultCode::RestrictedPage
            | FaultCode::AttachDenied
            | FaultCode::Unsupported
    )
}

fn bad_selector() -> Failure {
    Failure::not_dispatched(
        "selector is no CSS selector. Nothing was waited for. Retry: safe, with a valid selector, or with text.",
    )
}

/// Every answer, or those until one is `enough`.
async fn gather(mut asks: Vec<Asking<'_>>, enough: impl Fn(&Value) -> bool) -> Vec<Answered> {
    let mut answers = Vec::new();
    poll_fn(|context| {
        let mut done = false;
        asks.retain_mut(|ask| {
            let Poll::Ready(answered) = ask.as_mut().poll(context) else { return true };
            done |= answered.1.as_ref().is_ok_and(&enough);
            answers.push(answered);
            false
        });
        if done || asks.is_empty() { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    answers
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}
