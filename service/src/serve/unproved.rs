//! Arrivals that have proved nothing yet: a bounded crowd in which the oldest makes way for the newest.

use crate::work::CancelToken;
use ghostlight_transport::limits::UNPROVED;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An honest peer is through in milliseconds: only one that says nothing is ever the oldest of so many.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    waiting: RefCell<BTreeMap<u64, CancelToken>>,
    next: Cell<u64>,
}

/// A place in the crowd, until dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    crowd: Rc<Crowd>,
    number: u64,
    token: CancelToken,
}

impl Crowd {
    /// Takes one in, and pushes one out where there is no room.
    pub(super) fn enter(self: &Rc<Self>) -> Ticket {
        let number = self.next.replace(self.next.get() + 1);
        let token = CancelToken::default();
        let mut waiting = self.waiting.borrow_mut();
        if waiting.len() >= UNPROVED
            && let Some((_, oldest)) = waiting.pop_first()
        {
            oldest.cancel();
        }
        waiting.insert(number, token.clone());
        Ticket { crowd: Rc::clone(self), number, token }
    }
}

impl Ticket {
    /// Until another one needs the place.
    pub(super) async fn pushed_out(&self) {
        self.token.cancelled().await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.crowd.waiting.borrow_mut().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_lite::future::{block_on, poll_once};

    fn is_out(ticket: &Ticket) -> bool {
        block_on(poll_once(ticket.pushed_out())).is_some()
    }

    #[test]
    fn the_oldest_makes_way_and_whoever_left_costs_nobody_a_place() {
        let crowd = Rc::new(Crowd::default());
        let mut tickets: Vec<Ticket> = (0..UNPROVED).map(|_| crowd.enter()).collect();
        assert!(!tickets.iter().any(is_out));
        drop(tickets.pop());
        let newest = crowd.enter();
        assert!(!tickets.iter().any(is_out), "one had left");
        let last = crowd.enter();
        assert!(is_out(&tickets[0]) && !tickets[1..].iter().any(is_out));
        assert!(!is_out(&newest) && !is_out(&last));
        drop((tickets, newest, last));
        assert!(crowd.waiting.borrow().is_empty());
    }
}
