//! Where one answer of a browser arrives, whether or not somebody still waits for it.

use crate::bell::Bell;
use crate::browser::pending::Answered;
use std::cell::{Cell, RefCell};

#[derive(Debug, Default)]
pub(crate) struct Reply {
    answer: RefCell<Option<Answered>>,
    settled: Cell<bool>,
    arrived: Bell,
}

impl Reply {
    pub(crate) fn settle(&self, answer: Answered) {
        if !self.settled.replace(true) {
            *self.answer.borrow_mut() = Some(answer);
            self.arrived.ring();
        }
    }

    pub(crate) fn is_settled(&self) -> bool {
        self.settled.get()
    }

    /// The answer, once. Cancel-safe; a second taker waits forever.
    pub(crate) async fn answer(&self) -> Answered {
        loop {
            if let Some(answer) = self.answer.borrow_mut().take() {
                return answer;
            }
            self.arrived.rung().await;
        }
    }

    /// Until the answer is there, taken or not.
    pub(crate) async fn settled(&self) {
        while !self.is_settled() {
            self.arrived.rung().await;
        }
    }
}
