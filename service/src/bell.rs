//! A signal inside the program: whoever waits for it looks again at what it waits for.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::task::{Poll, Waker};

#[derive(Debug, Default)]
pub(crate) struct Bell {
    rings: Cell<u64>,
    wakers: RefCell<Vec<Waker>>,
}

impl Bell {
    pub(crate) fn ring(&self) {
        self.rings.set(self.rings.get() + 1);
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    /// Ends with the first ring after this call, also one before the future is polled. Cancel-safe.
    pub(crate) fn rung(&self) -> impl Future<Output = ()> {
        let seen = self.rings.get();
        poll_fn(move |context| {
            if self.rings.get() != seen {
                return Poll::Ready(());
            }
            let mut wakers = self.wakers.borrow_mut();
            if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                wakers.push(context.waker().clone());
            }
            Poll::Pending
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    #[test]
    fn a_ring_ends_every_wait_that_began_before_it() {
        let bell = Rc::new(Bell::default());
        let executor = async_executor::LocalExecutor::new();
        let early = bell.rung();
        let waits: Vec<_> = (0..3)
            .map(|_| {
                let bell = Rc::clone(&bell);
                executor.spawn(async move { bell.rung().await })
            })
            .collect();
        while executor.try_tick() {}
        assert!(waits.iter().all(|wait| !wait.is_finished()));
        bell.ring();
        while executor.try_tick() {}
        assert!(waits.iter().all(async_executor::Task::is_finished));
        futures_lite::future::block_on(early);
        let late = Rc::clone(&bell);
        let late = executor.spawn(async move { late.rung().await });
        while executor.try_tick() {}
        assert!(!late.is_finished());
    }
}
