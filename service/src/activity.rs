//! What keeps a service running, and what makes it end.

use crate::bell::Bell;
use crate::work::CancelToken;
use ghostlight_transport::outbox::Outbox;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

/// Why a service ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    Idle,
    /// `ghostlight stop`
    Asked,
    Signal(&'static str),
    /// The state directory is no longer the one it serves.
    Superseded,
    /// A program of a later bridge came: its own service has to take over.
    NewerProgram,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Idle => f.write_str("nothing to do"),
            Self::Asked => f.write_str("asked to stop"),
            Self::Signal(name) => write!(f, "signal {name}"),
            Self::Superseded => f.write_str("the state directory is no longer ours"),
            Self::NewerProgram => f.write_str("a newer version takes over"),
        }
    }
}

impl Ending {
    /// Whether running calls get the time to end well.
    pub(crate) fn is_patient(self) -> bool {
        matches!(self, Self::Superseded | Self::NewerProgram)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Activity {
    connections: Cell<usize>,
    edges: Cell<usize>,
    working: Cell<usize>,
    settling: Cell<usize>,
    ending: Cell<Option<Ending>>,
    bell: Bell,
    streams: RefCell<BTreeMap<u64, (CancelToken, Outbox)>>,
}

/// Counts one thing until dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    activity: Rc<Activity>,
    what: What,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum What {
    /// From its proof on.
    Connection,
    Edge,
    /// A call from its start to its answer.
    Working,
    /// A call after its answer.
    Settling,
}

impl Activity {
    pub(crate) fn count(self: &Rc<Self>, what: What) -> Counted {
        let cell = self.cell(what);
        cell.set(cell.get() + 1);
        // Only an end of idleness matters to whoever waits; a busy service rings for nobody.
        if !matches!(what, What::Connection) && self.load() == 1 {
            self.bell.ring();
        }
        Counted { activity: Rc::clone(self), what }
    }

    pub(crate) fn of(&self, what: What) -> usize {
        self.cell(what).get()
    }

    /// Edges, calls and settling calls; browsers are counted by their links.
    pub(crate) fn load(&self) -> usize {
        self.edges.get() + self.working.get() + self.settling.get()
    }

    pub(crate) fn changed(&self) {
        self.bell.ring();
    }

    pub(crate) fn rung(&self) -> impl Future<Output = ()> {
        self.bell.rung()
    }

    /// The first reason stays.
    pub(crate) fn end(&self, ending: Ending) {
        if self.ending.get().is_none() {
            self.ending.set(Some(ending));
            self.bell.ring();
        }
    }

    pub(crate) fn ending(&self) -> Option<Ending> {
        self.ending.get()
    }

    /// The token ends the stream from this side.
    pub(crate) fn open_stream(&self, number: u64, kick: CancelToken, outbox: Outbox) {
        self.streams.borrow_mut().insert(number, (kick, outbox));
    }

    pub(crate) fn close_stream(&self, number: u64) {
        self.streams.borrow_mut().remove(&number);
    }

    pub(crate) fn works(&self) -> usize {
        self.working.get() + self.settling.get()
    }

    pub(crate) fn kick_streams(&self) {
        for (kick, _) in self.streams.borrow().values() {
            kick.cancel();
        }
    }

    pub(crate) fn queued_bytes(&self) -> usize {
        self.streams.borrow().values().map(|(_, outbox)| outbox.bytes()).sum()
    }

    /// The stream whose peer reads least goes.
    pub(crate) fn kick_fullest(&self) {
        let streams = self.streams.borrow();
        if let Some((kick, _)) = streams.values().max_by_key(|(_, outbox)| outbox.bytes()) {
            kick.cancel();
        }
    }

    fn cell(&self, what: What) -> &Cell<usize> {
        match what {
            What::Connection => &self.connections,
            What::Edge => &self.edges,
            What::Working => &self.working,
            What::Settling => &self.settling,
        }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let cell = self.activity.cell(self.what);
        cell.set(cell.get() - 1);
        if self.activity.load() == 0 || self.activity.ending.get().is_some() {
            self.activity.bell.ring();
        }
    }
}
