//! A list that forgets its oldest lines, by count and by bytes, and says how many.

use ghostlight_transport::limits::{TAB_LOG, TAB_LOG_BYTES};
use std::collections::VecDeque;

/// A line of a [`Log`].
pub(crate) trait Weighed {
    /// About how many bytes it holds.
    fn bytes(&self) -> usize;
}

#[derive(Debug)]
pub(crate) struct Log<L> {
    pub(super) lines: VecDeque<L>,
    bytes: usize,
    /// Lines that had to go.
    pub(crate) dropped: u64,
}

impl<L> Default for Log<L> {
    fn default() -> Self {
        Self { lines: VecDeque::new(), bytes: 0, dropped: 0 }
    }
}

impl<L: Weighed> Log<L> {
    pub(super) fn push(&mut self, line: L) {
        self.bytes += line.bytes();
        self.lines.push_back(line);
        self.make_room();
    }

    /// Changes the latest line that `is_it`.
    pub(super) fn change(&mut self, is_it: impl Fn(&L) -> bool, change: impl FnOnce(&mut L)) {
        if let Some(line) = self.lines.iter_mut().rev().find(|line| is_it(line)) {
            self.bytes -= line.bytes();
            change(line);
            self.bytes += line.bytes();
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        while (self.lines.len() > TAB_LOG || self.bytes > TAB_LOG_BYTES)
            && let Some(line) = self.lines.pop_front()
        {
            self.bytes -= line.bytes();
            self.dropped += 1;
        }
    }

    /// Oldest first.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &L> + ExactSizeIterator {
        self.lines.iter()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }
}
