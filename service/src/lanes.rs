//! Waiting for one's turn: the scheduler's tickets as futures and leases.

use crate::bell::Bell;
use crate::scheduler::{Crowded, Key, Retired, Scheduler, Scope, Ticket, Verdict, Verdicts};
use crate::workspace::WorkspaceNumber;
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub(crate) struct Lanes {
    scheduler: RefCell<Scheduler>,
    waiting: RefCell<HashMap<Ticket, Rc<Place>>>,
    patience: Duration,
}

/// Where one waiting call is told.
#[derive(Debug, Default)]
struct Place {
    verdict: Cell<Option<Verdict>>,
    told: Bell,
}

/// Why a call got no lease: nothing of it ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Crowded(Crowded),
    Retired(Retired),
}

/// The right to act under one key, until dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    lanes: Rc<Lanes>,
    ticket: Ticket,
}

impl Lanes {
    pub(crate) fn new(patience: Duration) -> Self {
        let scheduler = RefCell::new(Scheduler::new(patience));
        Self { scheduler, waiting: RefCell::default(), patience }
    }

    /// Waits for the turn; dropped while it waits, it leaves the queue.
    pub(crate) async fn lease(
        self: &Rc<Self>,
        key: Key,
        workspace: WorkspaceNumber,
    ) -> Result<Lease, Refused> {
        let now = Instant::now();
        let submitted = self.scheduler.borrow_mut().submit(key, workspace, now);
        let (ticket, verdicts) = submitted.map_err(Refused::Crowded)?;
        let lease = Lease { lanes: Rc::clone(self), ticket };
        let place = Rc::new(Place::default());
        self.waiting.borrow_mut().insert(ticket, Rc::clone(&place));
        self.tell(verdicts);
        if place.verdict.get().is_none() {
            let late = async {
                Timer::at(now + self.patience).await;
            };
            place.told.rung().or(late).await;
            if place.verdict.get().is_none() {
                let verdicts = self.scheduler.borrow_mut().expire(Instant::now());
                self.tell(verdicts);
            }
        }
        match place.verdict.get() {
            Some(Verdict::Granted) => Ok(lease),
            Some(Verdict::Retired(why)) => Err(Refused::Retired(why)),
            None => Err(Refused::Retired(Retired::Late)),
        }
    }

    pub(crate) fn retire(&self, scope: Scope, why: Retired) {
        let verdicts = self.scheduler.borrow_mut().retire(scope, why);
        self.tell(verdicts);
    }

    pub(crate) fn waiting(&self) -> usize {
        self.scheduler.borrow().waiting()
    }

    fn tell(&self, verdicts: Verdicts) {
        for (ticket, verdict) in verdicts {
            if let Some(place) = self.waiting.borrow_mut().remove(&ticket) {
                place.verdict.set(Some(verdict));
                place.told.ring();
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.lanes.waiting.borrow_mut().remove(&self.ticket);
        let verdicts = self.lanes.scheduler.borrow_mut().release(self.ticket);
        self.lanes.tell(verdicts);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_executor::LocalExecutor;
    use ghostlight_transport::limits::QUEUE;

    const KEY: Key = Key::Surface { slot: 1, native: 1 };
    const ONE: WorkspaceNumber = WorkspaceNumber(1);

    fn settle(executor: &LocalExecutor<'_>) {
        while executor.try_tick() {}
    }

    #[test]
    fn a_lease_is_handed_on_when_dropped_and_a_dropped_wait_leaves_the_queue() {
        let lanes = Rc::new(Lanes::new(QUEUE));
        let executor = LocalExecutor::new();
        let ask = || {
            let lanes = Rc::clone(&lanes);
            executor.spawn(async move { lanes.lease(KEY, ONE).await })
        };
        let (first, second, third) = (ask(), ask(), ask());
        settle(&executor);
        assert!(first.is_finished() && !second.is_finished() && !third.is_finished());
        drop(second);
        settle(&executor);
        assert_eq!(lanes.waiting(), 1);
        drop(async_io::block_on(first));
        settle(&executor);
        assert!(async_io::block_on(third).is_ok());
        assert!(lanes.waiting.borrow().is_empty());
    }

    #[test]
    fn a_retired_wait_ends_with_its_reason() {
        let lanes = Rc::new(Lanes::new(QUEUE));
        let executor = LocalExecutor::new();
        let holder = async_io::block_on(lanes.lease(KEY, ONE)).unwrap();
        let waiting = executor.spawn({
            let lanes = Rc::clone(&lanes);
            async move { lanes.lease(KEY, ONE).await.map(|_| ()) }
        });
        settle(&executor);
        lanes.retire(Scope::Browser { slot: 1 }, Retired::Held);
        settle(&executor);
        assert_eq!(async_io::block_on(waiting), Err(Refused::Retired(Retired::Held)));
        drop(holder);
    }

    #[test]
    fn a_wait_without_patience_ends_late() {
        let lanes = Rc::new(Lanes::new(Duration::ZERO));
        let _holder = async_io::block_on(lanes.lease(KEY, ONE)).unwrap();
        let late = async_io::block_on(lanes.lease(KEY, ONE)).map(|_| ());
        assert_eq!(late, Err(Refused::Retired(Retired::Late)));
    }
}
