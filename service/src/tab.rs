//! A tab that its workspace was seen to own: the only way for a tool to reach a page.

mod fault;
pub(crate) mod observed;
pub(crate) mod record;
#[cfg(test)]
pub(crate) mod scripted;

pub(crate) use fault::RequestFault;
/// Between two pieces of a long computation of a tool.
pub(crate) use futures_lite::future::yield_now;

use crate::wire::{Request, Wire};
use crate::work::Work;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use ghostlight_transport::handle::ImageId;
use ghostlight_transport::json::{self, Misfit};
use ghostlight_transport::limits::PROGRESS_STEP;
use observed::Observed;
use record::{Following, TabRecord};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;
use std::time::{Duration, Instant};

/// Proof that the calling workspace owns the tab, with the lease to use it. Only the ownership check
/// makes one; it dies with its call.
#[derive(Debug, Clone)]
pub(crate) struct OwnedTab {
    native: i64,
    record: Rc<RefCell<TabRecord>>,
    wire: Rc<dyn Wire>,
    work: Rc<Work>,
    _following: Rc<Following>,
}

/// What the browser said about a tab, in order.
#[derive(Debug, Clone)]
pub(crate) enum TabEvent {
    Document {
        doc: Doc,
        main: bool,
        same_document: bool,
    },
    Load {
        loader_id: String,
        state: LoadState,
    },
    /// A navigation that the page in a frame had asked for brought no document.
    Stopped {
        frame_id: String,
    },
    Dialog(Option<Dialog>),
    Download,
    /// A click asked the person for files; the browser showed no dialog, so that a tool can answer.
    Chooser {
        frame_id: String,
        backend_node_id: i64,
    },
    /// The page asks for another tab; or one that it got is gone again, or not for agents.
    Opening {
        failed: bool,
    },
    /// A tab this one opened and that is now the workspace's.
    Opened {
        tab: i64,
    },
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LoadState {
    Committed,
    Dom,
    Load,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dialog {
    pub(crate) kind: String,
    pub(crate) message: String,
    /// What a prompt's field holds when it opens: a person's OK gives it back.
    pub(crate) default: Option<String>,
}

/// The tab as last reported.
#[derive(Debug, Clone, Default)]
pub(crate) struct TabFacts {
    pub(crate) doc: Doc,
    pub(crate) title: String,
    pub(crate) load: Option<LoadState>,
    pub(crate) dialog: Option<Dialog>,
}

/// The number the model knows, of a native id in a slot.
pub(crate) fn composite(slot: u32, native: i64) -> i64 {
    (i64::from(slot) << 32) + native
}

impl OwnedTab {
    /// The caller has just seen that the call's workspace owns `record`.
    pub(crate) fn new(wire: Rc<dyn Wire>, work: Rc<Work>, record: Rc<RefCell<TabRecord>>) -> Self {
        let following = Rc::new(Following::of(&record));
        let native = record.borrow().native;
        Self { native, record, wire, work, _following: following }
    }

    /// The number the model knows: `slot·2^32 + native`.
    pub(crate) fn id(&self) -> i64 {
        composite(self.wire.slot(), self.native)
    }

    /// Whether the workspace still has the tab of this number, of the same browser.
    pub(crate) fn is_there(&self, id: i64) -> bool {
        let record = self.wire.owned(id - composite(self.wire.slot(), 0));
        record.is_some_and(|record| !record.borrow().is_gone())
    }

    /// The browser's own id, for the wire.
    pub(crate) fn native(&self) -> i64 {
        self.native
    }

    pub(crate) fn facts(&self) -> TabFacts {
        self.record.borrow().facts.clone()
    }

    /// Per-tab state of the tools (references, last screenshot, last read), kept as long as the tab is owned.
    pub(crate) fn memory(&self) -> Rc<RefCell<crate::tools::TabMemory>> {
        Rc::clone(&self.record.borrow().memory)
    }

    /// What the tab said and asked since it was adopted.
    pub(crate) fn observed(&self) -> Rc<RefCell<Observed>> {
        Rc::clone(&self.record.borrow().observed)
    }

    /// Where the journal of events stands now.
    pub(crate) fn mark(&self) -> u64 {
        self.record.borrow().mark()
    }

    pub(crate) fn events_since(&self, mark: u64) -> Vec<TabEvent> {
        self.record.borrow().since(mark).cloned().collect()
    }

    /// The next event at or after `mark` and the mark behind it; `None` at the deadline.
    pub(crate) async fn next_event(&self, mark: u64, deadline: Instant) -> Option<(TabEvent, u64)> {
        let event = poll_fn(|context| {
            let mut record = self.record.borrow_mut();
            match record.next(mark) {
                Some(found) => Poll::Ready(Some(found)),
                None => {
                    record.wake_on_event(context.waker());
                    Poll::Pending
                }
            }
        });
        event
            .or(async {
                async_io::Timer::at(deadline).await;
                None
            })
            .await
    }

    /// A document is gone a moment before the one after it is told: waits for that. Whether `loader` was replaced.
    pub(crate) async fn replaced(&self, loader: &str, within: Duration) -> bool {
        let (deadline, mut mark) = (self.within(within), self.mark());
        while self.facts().doc.loader_id == loader {
            match self.next_event(mark, deadline).await {
                Some((TabEvent::Gone, _)) | None => return false,
                Some((_, next)) => mark = next,
            }
        }
        true
    }

    /// A request without an effect on the page: may be lost without harm. `params` gets `tabId` added.
    pub(crate) async fn read<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
        within: Duration,
    ) -> Result<R, RequestFault> {
        let answer = self.answer(method, params, false, within).await?;
        self.shaped(answer, false)
    }

    /// A request with an effect: checked against hold, stop and epoch at the last moment, sent at most once.
    pub(crate) async fn effect<R: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
        within: Duration,
    ) -> Result<R, RequestFault> {
        let answer = self.answer(method, params, true, within).await?;
        self.shaped(answer, true)
    }

    /// One piece of program for answers of all shapes.
    pub(crate) async fn answer(
        &self,
        method: &'static str,
        params: Value,
        effect: bool,
        within: Duration,
    ) -> Result<Value, RequestFault> {
        let params = addressed(self.native, params)?;
        let tab = Some(self.native);
        let answer = self.wire.request(Request { method, params, tab, effect, within }).await;
        let answer = answer.map_err(|fault| self.in_our_numbers(fault))?;
        json::parsed(&answer).map_err(|misfit| self.malformed(&misfit, effect))
    }

    pub(crate) fn shaped<R: DeserializeOwned>(
        &self,
        answer: Value,
        effect: bool,
    ) -> Result<R, RequestFault> {
        json::shaped(answer).map_err(|misfit| self.malformed(&misfit, effect))
    }

    fn malformed(&self, misfit: &Misfit, effect: bool) -> RequestFault {
        self.wire.malformed();
        RequestFault::lost(FaultCode::Internal, format!("the answer has {misfit}"), effect)
    }

    /// Two questions at once.
    pub(crate) async fn both<A, B>(
        &self,
        one: impl Future<Output = A>,
        other: impl Future<Output = B>,
    ) -> (A, B) {
        futures_lite::future::zip(one, other).await
    }

    /// The tab whose dialog holds this one back, by the number the model knows; neither number nor words of one that
    /// is not the workspace's.
    fn in_our_numbers(&self, mut fault: RequestFault) -> RequestFault {
        if fault.code == FaultCode::DialogOpen
            && let Some(detail) = &mut fault.detail
            && let Some(id) = detail.get_mut("tabId")
        {
            match id.as_i64().filter(|native| self.wire.owned(*native).is_some()) {
                Some(native) => *id = composite(self.wire.slot(), native).into(),
                None => *detail = serde_json::json!({ "tabId": null }),
            }
        }
        fault
    }

    /// Shown to whoever asked for progress; silently dropped otherwise.
    pub(crate) fn progress(&self, message: &str) {
        self.work.progress(message);
    }

    /// The value of `work`; while it lasts, whoever asked for progress hears that `what` goes on.
    pub(crate) async fn telling<T>(&self, what: &str, work: impl Future<Output = T>) -> T {
        let began = Instant::now();
        let tell = async {
            loop {
                async_io::Timer::after(PROGRESS_STEP).await;
                let elapsed = began.elapsed().as_secs_f32();
                self.progress(&format!("{what}: {elapsed:.1} s"));
            }
        };
        work.or(tell).await
    }

    pub(crate) fn image(&self, name: &str) -> Option<Rc<crate::images::Image>> {
        self.work.image(name)
    }

    /// Keeps a picture for this workspace and gives the id text for the result; `None` without entropy.
    pub(crate) fn keep_image(&self, mime: &str, data: &str) -> Option<String> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).ok()?;
        Some(self.work.keep_image(ImageId::from_entropy(bits), mime, data))
    }

    /// The call was cancelled: a tool looks between its steps.
    pub(crate) fn cancelled(&self) -> bool {
        self.work.cancel.is_cancelled()
    }

    /// `span` from now, and never beyond the tool's own end.
    pub(crate) fn within(&self, span: Duration) -> Instant {
        (Instant::now() + span).min(self.deadline())
    }

    /// Lets `span` pass, within the tool's own end.
    pub(crate) async fn rest(&self, span: Duration) {
        async_io::Timer::at(self.within(span)).await;
    }

    /// What is left until then.
    pub(crate) fn left(&self, until: Instant) -> Duration {
        until.saturating_duration_since(Instant::now())
    }

    /// The moment by which the tool must have ended by itself.
    pub(crate) fn deadline(&self) -> Instant {
        self.work.deadline()
    }
}

/// `params` as one object with the tab's number in it.
fn addressed(native: i64, params: Value) -> Result<Box<RawValue>, RequestFault> {
    let unfit = || RequestFault::unsent(FaultCode::BadRequest, "the parameters are not an object");
    let Value::Object(mut members) = params else { return Err(unfit()) };
    members.insert("tabId".into(), native.into());
    serde_json::value::to_raw_value(&members).map_err(|_| unfit())
}
