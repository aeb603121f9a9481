//! Who may act now: one call at a time per tab, per workspace's set of tabs, and per browser.
//!
//! A call asks with a key and waits for its ticket. Within a workspace the order is first come first
//! served, across workspaces it is turn by turn. A whole browser excludes all its tabs; where both
//! kinds wait, they alternate, so neither starves.

mod lane;
#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;

use crate::workspace::WorkspaceNumber;
use ghostlight_transport::limits::{WAITING, WAITING_PER_KEY, WAITING_PER_WORKSPACE};
use lane::{Lane, Waiting};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Key {
    /// One tab.
    Surface { slot: u32, native: i64 },
    /// One workspace's set of tabs in one browser; slot 0 before it is bound to one.
    Topology { slot: u32, workspace: WorkspaceNumber },
    /// Everything in one browser.
    Browser { slot: u32 },
}

impl Key {
    fn slot(self) -> u32 {
        match self {
            Self::Surface { slot, .. } | Self::Topology { slot, .. } | Self::Browser { slot } => {
                slot
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Ticket(u64);

/// What became of a waiting ticket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Granted,
    Retired(Retired),
}

/// Why a waiting call will never run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Retired {
    Late,
    Held,
    TabGone,
    BrowserGone,
    WorkspaceEnded,
    /// The service ends.
    Ending,
}

/// Whose waiting calls to retire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Surface { slot: u32, native: i64 },
    Browser { slot: u32 },
    Workspace(WorkspaceNumber),
    Everything,
}

impl Scope {
    fn covers(self, key: Key, workspace: WorkspaceNumber) -> bool {
        match self {
            Self::Surface { slot, native } => key == Key::Surface { slot, native },
            Self::Browser { slot } => key.slot() == slot,
            Self::Workspace(ended) => workspace == ended,
            Self::Everything => true,
        }
    }
}

/// Which bound was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crowded {
    Key,
    Workspace,
    Service,
}

pub(crate) type Verdicts = Vec<(Ticket, Verdict)>;

#[derive(Debug)]
pub(crate) struct Scheduler {
    /// How long a call may wait.
    patience: Duration,
    browsers: BTreeMap<u32, Browser>,
    /// Where each ticket stands, waiting or active.
    keys: HashMap<Ticket, Key>,
    waiting_of: HashMap<WorkspaceNumber, usize>,
    waiting: usize,
    next: u64,
}

#[derive(Debug, Default)]
struct Browser {
    whole: Lane,
    parts: BTreeMap<Key, Lane>,
    /// After the whole browser had its turn, its tabs have theirs.
    parts_first: bool,
}

impl Scheduler {
    pub(crate) fn new(patience: Duration) -> Self {
        Self {
            patience,
            browsers: BTreeMap::new(),
            keys: HashMap::new(),
            waiting_of: HashMap::new(),
            waiting: 0,
            next: 0,
        }
    }

    /// The ticket, and everything that changed: also the ticket's own verdict when it may act at once.
    pub(crate) fn submit(
        &mut self,
        key: Key,
        workspace: WorkspaceNumber,
        now: Instant,
    ) -> Result<(Ticket, Verdicts), Crowded> {
        if self.waiting >= WAITING {
            return Err(Crowded::Service);
        }
        if self.waiting_of.get(&workspace).is_some_and(|count| *count >= WAITING_PER_WORKSPACE) {
            return Err(Crowded::Workspace);
        }
        let ticket = Ticket(self.next);
        let lane = self.browsers.entry(key.slot()).or_default().lane(key);
        if lane.waiting() >= WAITING_PER_KEY {
            return Err(Crowded::Key);
        }
        lane.push(workspace, Waiting { ticket, until: now + self.patience });
        self.next += 1;
        self.waiting += 1;
        *self.waiting_of.entry(workspace).or_default() += 1;
        self.keys.insert(ticket, key);
        Ok((ticket, self.grant(key.slot())))
    }

    /// The call has ended, or no longer waits.
    pub(crate) fn release(&mut self, ticket: Ticket) -> Verdicts {
        let Some(key) = self.keys.remove(&ticket) else { return Vec::new() };
        if let Some(browser) = self.browsers.get_mut(&key.slot())
            && let Some(workspace) = browser.lane(key).remove(ticket)
        {
            self.left(workspace);
        }
        self.grant(key.slot())
    }

    /// Ends every waiting call of `scope`; active ones go on until they end by themselves.
    pub(crate) fn retire(&mut self, scope: Scope, why: Retired) -> Verdicts {
        self.drop_waiting(why, |key, workspace, _| scope.covers(key, workspace))
    }

    /// Ends every call that has waited for too long.
    pub(crate) fn expire(&mut self, now: Instant) -> Verdicts {
        self.drop_waiting(Retired::Late, |_, _, waiting| waiting.until <= now)
    }

    pub(crate) fn waiting(&self) -> usize {
        self.waiting
    }

    fn drop_waiting(
        &mut self,
        why: Retired,
        mut goes: impl FnMut(Key, WorkspaceNumber, &Waiting) -> bool,
    ) -> Verdicts {
        let mut gone = Vec::new();
        for (slot, browser) in &mut self.browsers {
            let whole = (Key::Browser { slot: *slot }, &mut browser.whole);
            let parts = browser.parts.iter_mut().map(|(key, lane)| (*key, lane));
            for (key, lane) in std::iter::once(whole).chain(parts) {
                gone.extend(lane.drain(|workspace, waiting| goes(key, workspace, waiting)));
            }
        }
        let mut verdicts = Vec::new();
        for (workspace, ticket) in gone {
            self.keys.remove(&ticket);
            self.left(workspace);
            verdicts.push((ticket, Verdict::Retired(why)));
        }
        let slots: Vec<_> = self.browsers.keys().copied().collect();
        for slot in slots {
            verdicts.extend(self.grant(slot));
        }
        verdicts
    }

    /// Lets everyone act who now may.
    fn grant(&mut self, slot: u32) -> Verdicts {
        let Some(browser) = self.browsers.get_mut(&slot) else { return Vec::new() };
        let granted = browser.grant();
        if browser.is_empty() {
            self.browsers.remove(&slot);
        }
        let mut verdicts = Vec::with_capacity(granted.len());
        for (workspace, ticket) in granted {
            self.left(workspace);
            verdicts.push((ticket, Verdict::Granted));
        }
        verdicts
    }

    /// One of the workspace's calls no longer waits.
    fn left(&mut self, workspace: WorkspaceNumber) {
        self.waiting -= 1;
        if let Some(count) = self.waiting_of.get_mut(&workspace) {
            *count -= 1;
            if *count == 0 {
                self.waiting_of.remove(&workspace);
            }
        }
    }
}

impl Browser {
    fn lane(&mut self, key: Key) -> &mut Lane {
        match key {
            Key::Browser { .. } => &mut self.whole,
            part => self.parts.entry(part).or_default(),
        }
    }

    fn grant(&mut self) -> Vec<(WorkspaceNumber, Ticket)> {
        self.parts.retain(|_, lane| !lane.is_empty());
        if self.whole.is_active() {
            return Vec::new();
        }
        let parts_wait = self.parts.values().any(Lane::could_start);
        if self.whole.waiting() > 0 && !(self.parts_first && parts_wait) {
            if self.parts.values().any(Lane::is_active) {
                return Vec::new();
            }
            self.parts_first = true;
            return self.whole.start().into_iter().collect();
        }
        self.parts_first = false;
        self.parts.values_mut().filter_map(Lane::start).collect()
    }

    fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.parts.is_empty()
    }
}
