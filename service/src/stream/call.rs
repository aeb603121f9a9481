//! One call as one future: answered once, within its deadline, and alive until it has settled.

use super::Stream;
use crate::activity::{Counted, What};
use crate::engine::Engine;
use crate::pipeline::{Exit, Passage, refusal, render};
use crate::tool::Failure;
use crate::work::{CancelToken, ProgressSink, Work};
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::bridge::{Completed, FromService, Outcome, Start, WorkId};
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::limits::PROGRESS_INTERVAL;
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use std::time::Instant;

/// A call that has its number on its stream.
pub(super) struct Accepted {
    pub(super) stream: Rc<Stream>,
    pub(super) work: WorkId,
    pub(super) cancel: CancelToken,
}

impl Drop for Accepted {
    fn drop(&mut self) {
        self.stream.works.borrow_mut().remove(&self.work);
    }
}

impl Accepted {
    pub(super) async fn run(self, engine: Rc<Engine>, start: Box<Start>) {
        let working = engine.activity.count(What::Working);
        let sequence = start.sequence;
        let progress = start.progress.then(|| self.progress());
        let mut passage = Passage::new(
            Rc::clone(&engine),
            self.stream.number,
            start,
            self.cancel.clone(),
            progress,
        );
        let admitted = passage.admit();
        if let Err(Exit::Rejected(rejection, reason)) = admitted {
            passage.refuse(Failure::not_dispatched(""), reason).await;
            return self
                .stream
                .deliver(&engine, &FromService::Rejected { sequence, rejection })
                .await;
        }
        self.stream.deliver(&engine, &FromService::Started { sequence, work: self.work }).await;
        if let Err(Exit::Ended(failure, reason)) = admitted {
            let outcome = passage.refuse(failure, reason).await;
            return self.answer(&engine, outcome, None).await;
        }
        self.settle(&engine, passage, working).await;
    }

    /// Answers once: with the call's own end, or when the caller's time is over. Then the same call
    /// goes on until every effect is known.
    async fn settle(&self, engine: &Rc<Engine>, mut passage: Passage, working: Counted) {
        let born = Instant::now();
        let (work, workspace) = (passage.work(), passage.workspace_to_name());
        let settled = {
            let mut run = pin!(passage.run());
            let ended = by(run.as_mut(), born + engine.bounds.answer).await;
            if let Some(outcome) = ended {
                self.answer(engine, outcome, workspace).await;
                true
            } else {
                self.answer(engine, overdue(&work), workspace).await;
                by(run, born + engine.bounds.settlement).await.is_some()
            }
        };
        let settling = engine.activity.count(What::Settling);
        drop(working);
        if !settled {
            passage.give_up().await;
        }
        passage.settle().await;
        drop(settling);
    }

    async fn answer(&self, engine: &Engine, outcome: Outcome, workspace: Option<WorkspaceId>) {
        let completed = Completed { work: self.work, outcome, workspace };
        self.stream.deliver(engine, &FromService::Completed(Box::new(completed))).await;
    }

    /// At most a few lines a second, and none while the stream is full.
    fn progress(&self) -> ProgressSink {
        let (outbox, work) = (self.stream.outbox.clone(), self.work);
        let (done, last) = (Cell::new(0.0), Cell::new(None::<Instant>));
        Box::new(move |message| {
            let now = Instant::now();
            if last.get().is_some_and(|last| now < last + PROGRESS_INTERVAL) {
                return;
            }
            last.set(Some(now));
            done.set(done.get() + 1.0);
            let (done, message) = (done.get(), message.into());
            let progress = FromService::Progress { work, done, total: None, message };
            if let Ok(frame) = serde_json::to_vec(&progress) {
                let _ = outbox.try_push(frame);
            }
        })
    }
}

/// The future's value, or nothing at the deadline.
async fn by<T>(future: impl Future<Output = T>, deadline: Instant) -> Option<T> {
    let late = async {
        Timer::at(deadline).await;
        None
    };
    async { Some(future.await) }.or(late).await
}

/// What the caller is told of a call that goes on. One that has sent nothing never will.
fn overdue(work: &Work) -> Outcome {
    let sent = work.may_have_sent();
    if !sent {
        work.cancel.cancel();
    }
    let failure = refusal::overdue(sent);
    work.told(failure.disposition);
    render(Err(failure))
}
