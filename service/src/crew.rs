//! The tasks of a service that come and go: each is owned here until it ends.

use crate::bell::Bell;
use async_executor::{LocalExecutor, Task};
use async_io::Timer;
use futures_lite::future::FutureExt as _;
use ghostlight_transport::stderr::Stderr;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::time::Duration;

/// What is done by then is done.
pub(crate) async fn within(patience: Duration, done: impl Future<Output = ()>) {
    let late = async {
        Timer::after(patience).await;
    };
    done.or(late).await;
}

#[derive(Clone)]
pub(crate) struct Crew(Rc<Inner>);

struct Inner {
    executor: Rc<LocalExecutor<'static>>,
    log: Stderr,
    tasks: RefCell<HashMap<u64, Task<()>>>,
    next: Cell<u64>,
    idle: Bell,
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("tasks", &self.len()).finish()
    }
}

impl Crew {
    pub(crate) fn new(executor: Rc<LocalExecutor<'static>>, log: Stderr) -> Self {
        let tasks = RefCell::default();
        Self(Rc::new(Inner { executor, log, tasks, next: Cell::new(0), idle: Bell::default() }))
    }

    /// Runs the work to its end. A panic ends it alone, and is told.
    pub(crate) fn employ(&self, work: impl Future<Output = ()> + 'static) {
        let number = self.0.next.replace(self.0.next.get() + 1);
        let inner = Rc::downgrade(&self.0);
        let task = self.0.executor.spawn(async move {
            let ended = AssertUnwindSafe(work).catch_unwind().await;
            let Some(inner) = inner.upgrade() else { return };
            if ended.is_err() {
                inner.log.log("a task of the service panicked and was ended; the others go on");
            }
            let task = inner.tasks.borrow_mut().remove(&number);
            drop(task);
            if inner.tasks.borrow().is_empty() {
                inner.idle.ring();
            }
        });
        self.0.tasks.borrow_mut().insert(number, task);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.tasks.borrow().len()
    }

    /// Until nobody works.
    pub(crate) async fn idle(&self) {
        while self.len() > 0 {
            self.0.idle.rung().await;
        }
    }

    /// Ends all that still run, now.
    pub(crate) async fn dismiss(&self) {
        let tasks = std::mem::take(&mut *self.0.tasks.borrow_mut());
        for task in tasks.into_values() {
            task.cancel().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_owned_until_it_ends_and_a_panic_ends_one_alone() {
        let executor = Rc::new(LocalExecutor::new());
        let crew = Crew::new(Rc::clone(&executor), Stderr::new("test"));
        let done = Rc::new(Cell::new(0));
        crew.employ(async { panic!("on purpose") });
        for _ in 0..2 {
            let done = Rc::clone(&done);
            crew.employ(async move {
                futures_lite::future::yield_now().await;
                done.set(done.get() + 1);
            });
        }
        crew.employ(std::future::pending());
        assert_eq!(crew.len(), 4);
        while executor.try_tick() {}
        assert_eq!((done.get(), crew.len()), (2, 1));
        async_io::block_on(executor.run(crew.dismiss()));
        assert_eq!(crew.len(), 0);
    }
}
