//! A tab as the browser last reported it, and the journal of what happened to it.

use crate::tab::observed::Observed;
use crate::tab::{LoadState, TabEvent, TabFacts};
use crate::tools::TabMemory;
use ghostlight_transport::browser_wire::{Doc, Tab};
use ghostlight_transport::limits::TAB_EVENTS;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::Waker;

#[derive(Debug)]
pub(crate) struct TabRecord {
    pub(crate) native: i64,
    pub(crate) facts: TabFacts,
    pub(crate) memory: Rc<RefCell<TabMemory>>,
    pub(crate) observed: Rc<RefCell<Observed>>,
    /// Closed, released or of an earlier run of its browser.
    gone: bool,
    journal: VecDeque<TabEvent>,
    /// Number of the journal's first event.
    first: u64,
    followers: usize,
    wakers: Vec<Waker>,
}

impl TabRecord {
    pub(crate) fn new(native: i64) -> Self {
        Self {
            native,
            facts: TabFacts::default(),
            memory: Rc::default(),
            observed: Rc::default(),
            gone: false,
            journal: VecDeque::new(),
            first: 0,
            followers: 0,
            wakers: Vec::new(),
        }
    }

    /// Takes over what the browser says about the tab now, outside the journal.
    pub(crate) fn describe(&mut self, tab: &Tab, doc: Option<&Doc>) {
        self.facts.title.clone_from(&tab.title);
        if let Some(doc) = doc
            && !doc.loader_id.is_empty()
        {
            if self.facts.doc.loader_id != doc.loader_id {
                self.facts.load = Some(if tab.status == "complete" {
                    LoadState::Load
                } else {
                    LoadState::Committed
                });
            }
            self.facts.doc = doc.clone();
            self.observed.borrow_mut().arrived(&doc.url);
        }
    }

    /// Follows one event: into the facts, and into the journal while a call follows it.
    pub(crate) fn happened(&mut self, event: TabEvent) {
        match &event {
            TabEvent::Document { doc, main: true, same_document } => {
                if !same_document {
                    self.facts.load = Some(LoadState::Committed);
                    self.facts.title.clear();
                }
                self.facts.doc = doc.clone();
                self.observed.borrow_mut().arrived(&doc.url);
            }
            TabEvent::Load { loader_id, state } if *loader_id == self.facts.doc.loader_id => {
                self.facts.load = self.facts.load.max(Some(*state));
            }
            TabEvent::Dialog(dialog) => self.facts.dialog.clone_from(dialog),
            TabEvent::Gone => self.gone = true,
            _ => {}
        }
        if self.followers == 0 {
            self.first += 1;
            return;
        }
        if self.journal.len() == TAB_EVENTS {
            self.journal.pop_front();
            self.first += 1;
        }
        self.journal.push_back(event);
        for waker in self.wakers.drain(..) {
            waker.wake();
        }
    }

    pub(crate) fn is_gone(&self) -> bool {
        self.gone
    }

    pub(crate) fn mark(&self) -> u64 {
        self.first + self.journal.len() as u64
    }

    pub(crate) fn since(&self, mark: u64) -> impl Iterator<Item = &TabEvent> {
        self.journal
            .iter()
            .skip(usize::try_from(mark.saturating_sub(self.first)).unwrap_or(usize::MAX))
    }

    /// The first event at or after `mark`, and the mark behind it.
    pub(crate) fn next(&self, mark: u64) -> Option<(TabEvent, u64)> {
        let at = mark.max(self.first);
        self.since(at).next().map(|event| (event.clone(), at + 1))
    }

    pub(crate) fn wake_on_event(&mut self, waker: &Waker) {
        if !self.wakers.iter().any(|known| known.will_wake(waker)) {
            self.wakers.push(waker.clone());
        }
    }
}

/// Keeps the journal of a tab for as long as it lives.
#[derive(Debug)]
pub(crate) struct Following(Rc<RefCell<TabRecord>>);

impl Following {
    pub(crate) fn of(record: &Rc<RefCell<TabRecord>>) -> Self {
        record.borrow_mut().followers += 1;
        Self(Rc::clone(record))
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        let mut record = self.0.borrow_mut();
        record.followers -= 1;
        if record.followers == 0 {
            record.first += record.journal.len() as u64;
            record.journal = VecDeque::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Rc<RefCell<TabRecord>> {
        Rc::new(RefCell::new(TabRecord::new(7)))
    }

    #[test]
    fn a_journal_is_kept_only_while_a_call_follows_it() {
        let record = record();
        record.borrow_mut().happened(TabEvent::Download);
        let following = Following::of(&record);
        let mark = record.borrow().mark();
        assert_eq!(mark, 1);
        record.borrow_mut().happened(TabEvent::Download);
        assert_eq!(record.borrow().since(mark).count(), 1);
        assert_eq!(record.borrow().next(0).map(|(_, next)| next), Some(2));
        drop(following);
        assert_eq!(record.borrow().since(0).count(), 0);
        assert_eq!(record.borrow().mark(), 2);
    }

    #[test]
    fn a_full_journal_drops_the_oldest_and_keeps_counting() {
        let record = record();
        let _following = Following::of(&record);
        for _ in 0..TAB_EVENTS + 10 {
            record.borrow_mut().happened(TabEvent::Download);
        }
        let record = record.borrow();
        assert_eq!(record.since(0).count(), TAB_EVENTS);
        assert_eq!(record.mark(), TAB_EVENTS as u64 + 10);
        assert_eq!(record.next(0).map(|(_, next)| next), Some(11));
    }

    #[test]
    fn a_new_document_starts_over_and_a_late_load_of_the_old_one_is_ignored() {
        let record = record();
        let doc = |loader: &str| Doc { loader_id: loader.into(), ..Doc::default() };
        let mut record = record.borrow_mut();
        let load = |loader: &str, state| TabEvent::Load { loader_id: loader.into(), state };
        record.happened(TabEvent::Document { doc: doc("A"), main: true, same_document: false });
        record.happened(load("A", LoadState::Load));
        assert_eq!(record.facts.load, Some(LoadState::Load));
        record.happened(TabEvent::Document { doc: doc("B"), main: true, same_document: false });
        record.happened(load("A", LoadState::Load));
        assert_eq!(record.facts.load, Some(LoadState::Committed));
        record.happened(TabEvent::Document { doc: doc("C"), main: false, same_document: false });
        assert_eq!(record.facts.doc.loader_id, "B");
    }
}
