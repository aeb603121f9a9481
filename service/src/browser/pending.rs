//! What one browser was asked and has not answered.

use crate::tab::RequestFault;
use crate::workspace::WorkspaceNumber;
use ghostlight_transport::browser_wire::{FaultCode, Res};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub(crate) type Answered = Result<Box<RawValue>, RequestFault>;

/// Requests in the order they were sent; `T` is where the answer goes.
#[derive(Debug)]
pub(crate) struct Pending<T> {
    requests: BTreeMap<u64, Asked<T>>,
}

/// One request on its way.
#[derive(Debug)]
pub(crate) struct Asked<T> {
    pub(crate) ticket: T,
    pub(crate) method: &'static str,
    pub(crate) workspace: WorkspaceNumber,
    pub(crate) tab: Option<i64>,
    pub(crate) effect: bool,
    /// The worker that was there when it was sent: only its word counts.
    pub(crate) worker: String,
    /// To ask again when a connection lost it; effects are never asked again.
    pub(crate) frame: Option<Vec<u8>>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self { requests: BTreeMap::new() }
    }
}

impl<T> Pending<T> {
    pub(crate) fn add(&mut self, number: u64, asked: Asked<T>) {
        self.requests.insert(number, asked);
    }

    /// The request that `worker` answers, if it waits for that worker.
    pub(crate) fn answered(&mut self, number: u64, worker: &str) -> Option<Asked<T>> {
        if self.requests.get(&number)?.worker != worker {
            return None;
        }
        self.requests.remove(&number)
    }

    /// Nobody waits any more.
    pub(crate) fn forget(&mut self, number: u64) -> Option<Asked<T>> {
        self.requests.remove(&number)
    }

    pub(crate) fn len(&self) -> usize {
        self.requests.len()
    }

    /// After a fresh hello: what the worker does not know is lost, except that a read may be asked
    /// once more. Gives the lost ones and the frames to send again.
    pub(crate) fn reconcile(
        &mut self,
        worker: &str,
        known: impl Iterator<Item = u64>,
    ) -> (Vec<Asked<T>>, Vec<Vec<u8>>) {
        let mut again = Vec::new();
        let mut lost = Vec::new();
        let mut unknown: Vec<u64> = self.requests.keys().copied().collect();
        for number in known {
            if let Ok(at) = unknown.binary_search(&number) {
                unknown.remove(at);
            }
        }
        for number in unknown {
            let Some(asked) = self.requests.get_mut(&number) else { continue };
            match asked.frame.take() {
                Some(frame) => {
                    worker.clone_into(&mut asked.worker);
                    again.push(frame);
                }
                None => lost.extend(self.requests.remove(&number)),
            }
        }
        (lost, again)
    }

    /// The browser they were for is gone.
    pub(crate) fn take_all(&mut self) -> Vec<Asked<T>> {
        std::mem::take(&mut self.requests).into_values().collect()
    }
}

impl<T> Asked<T> {
    /// The answer will never come.
    pub(crate) fn lost(self, why: &str) -> (T, Answered) {
        (self.ticket, Err(RequestFault::lost(FaultCode::Internal, why, self.effect)))
    }

    /// What the result says; `None` when it says neither or both.
    pub(crate) fn read(&self, result: Res) -> Option<Answered> {
        match (result.ok, result.err) {
            (Some(value), None) => Some(Ok(value)),
            (None, Some(fault)) => Some(Err(RequestFault {
                code: fault.code,
                message: fault.message,
                detail: fault.detail,
                sent: result.sent && self.effect,
                lost: false,
            })),
            _ => None,
        }
    }
}
