//! One call while it runs: who asked for what, until when, and whether it was cancelled.

use crate::bell::Bell;
use crate::images::{Image, Images};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::handle::{ImageId, expose_text};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::Instant;

/// Told once, seen by everyone who holds a clone.
#[derive(Debug, Clone, Default)]
pub(crate) struct CancelToken(Rc<(Cell<bool>, Bell)>);

impl CancelToken {
    pub(crate) fn cancel(&self) {
        self.0.0.set(true);
        self.0.1.ring();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.0.0.get()
    }

    /// Ends when the token is cancelled. Safe to drop and to ask for again.
    pub(crate) async fn cancelled(&self) {
        while !self.is_cancelled() {
            self.0.1.rung().await;
        }
    }
}

/// Where the words of a running call go when somebody asked for them.
pub(crate) type ProgressSink = Box<dyn Fn(&str)>;

/// The facts of one call that its tool may use.
pub(crate) struct Work {
    pub(crate) cancel: CancelToken,
    /// By then the tool has ended by itself; moved when the call gets its lease.
    deadline: Cell<Instant>,
    images: RefCell<Rc<RefCell<Images>>>,
    progress: Option<ProgressSink>,
    /// An effect left for the browser, or may have.
    sent: Cell<bool>,
    /// What the caller was told while the call went on.
    told: Cell<Option<Disposition>>,
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("cancel", &self.cancel).finish_non_exhaustive()
    }
}

impl Work {
    pub(crate) fn new(
        cancel: CancelToken,
        deadline: Instant,
        progress: Option<ProgressSink>,
    ) -> Self {
        Self {
            cancel,
            deadline: Cell::new(deadline),
            images: RefCell::default(),
            progress,
            sent: Cell::default(),
            told: Cell::default(),
        }
    }

    /// The pictures are the workspace's, not the call's.
    pub(crate) fn use_images(&self, images: Rc<RefCell<Images>>) {
        *self.images.borrow_mut() = images;
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline.get()
    }

    pub(crate) fn end_by(&self, deadline: Instant) {
        self.deadline.set(deadline);
    }

    pub(crate) fn progress(&self, message: &str) {
        if let Some(sink) = &self.progress {
            sink(message);
        }
    }

    /// From here on the call cannot promise that nothing happened.
    pub(crate) fn mark_sent(&self) {
        self.sent.set(true);
    }

    pub(crate) fn may_have_sent(&self) -> bool {
        self.sent.get()
    }

    /// The caller has its answer, and the call goes on.
    pub(crate) fn told(&self, disposition: Disposition) {
        self.told.set(Some(disposition));
    }

    pub(crate) fn was_told(&self) -> Option<Disposition> {
        self.told.get()
    }

    /// The workspace's picture of this name, while it is kept.
    pub(crate) fn image(&self, name: &str) -> Option<Rc<Image>> {
        let id = name.parse().ok()?;
        self.images.borrow().borrow().find(&id)
    }

    /// Keeps a picture for the workspace; the text names it, to its owner alone.
    pub(crate) fn keep_image(&self, id: ImageId, mime: &str, data: &str) -> String {
        let text = expose_text(&id);
        let image = Image { mime: mime.into(), data: data.into() };
        self.images.borrow().borrow_mut().keep(id, image);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_lite::future::FutureExt as _;

    #[test]
    fn a_cancelled_token_ends_every_wait_for_it() {
        let token = CancelToken::default();
        let executor = async_executor::LocalExecutor::new();
        let waits: Vec<_> = (0..3)
            .map(|_| {
                let token = token.clone();
                executor.spawn(async move { token.cancelled().await })
            })
            .collect();
        while executor.try_tick() {}
        assert!(waits.iter().all(|wait| !wait.is_finished()));
        token.cancel();
        while executor.try_tick() {}
        assert!(waits.iter().all(async_executor::Task::is_finished));
        futures_lite::future::block_on(token.cancelled().or(async { panic!("not ready at once") }));
    }
}
