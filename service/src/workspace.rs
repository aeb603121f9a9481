//! Workspaces: who may speak for which, how long one lives, and how many there may be.

#[cfg(test)]
mod tests;

use crate::images::Images;
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::limits::{WORKSPACES, WORKSPACES_PER_STREAM};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A workspace inside this process: names it in queues and logs, and gives no right to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct WorkspaceNumber(pub(crate) u64);

/// One admitted connection.
pub(crate) type StreamNumber = u64;

/// Looked up by the keyed hash of the standard map, then compared in constant time by the handle.
#[derive(Debug)]
pub(crate) struct Registry {
    entries: HashMap<WorkspaceId, Entry>,
    handles: HashMap<WorkspaceNumber, WorkspaceId>,
    next: u64,
    idle: Duration,
    empty: Duration,
    /// Ended since somebody last asked.
    ended: Vec<WorkspaceNumber>,
}

#[derive(Debug)]
struct Entry {
    number: WorkspaceNumber,
    minted_by: StreamNumber,
    /// Streams that keep it alive without calling.
    attached: BTreeSet<StreamNumber>,
    active: usize,
    /// Calls so far; one that was never used again is the first to go.
    uses: u64,
    last_used: Instant,
    /// When its last tab went, until it is used again.
    emptied: Option<Instant>,
    /// Given up, but still pinned by active calls.
    retiring: bool,
    images: Rc<RefCell<Images>>,
}

/// No room, and nothing that may be taken away from its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Full {
    Stream,
    Service,
}

impl Entry {
    fn idle(&self) -> bool {
        self.active == 0 && self.attached.is_empty()
    }

    /// When it has been idle for too long.
    fn until(&self, idle: Duration, empty: Duration) -> Instant {
        let used = self.last_used + idle;
        self.emptied.map_or(used, |emptied| used.min(emptied + empty))
    }
}

impl Registry {
    /// `idle` after its last use, or `empty` after its last tab went, a workspace ends.
    pub(crate) fn new(idle: Duration, empty: Duration) -> Self {
        let (entries, handles) = (HashMap::new(), HashMap::new());
        Self { entries, handles, next: 1, idle, empty, ended: Vec::new() }
    }

    /// `entropy` comes from the kernel. Makes room by ending workspaces that were never used again.
    pub(crate) fn mint(
        &mut self,
        entropy: [u8; 16],
        stream: StreamNumber,
        now: Instant,
    ) -> Result<(WorkspaceId, WorkspaceNumber), Full> {
        self.expire(now);
        let of_stream = self.entries.values().filter(|entry| entry.minted_by == stream).count();
        if of_stream >= WORKSPACES_PER_STREAM && !self.evict(|entry| entry.minted_by == stream) {
            return Err(Full::Stream);
        }
        if self.entries.len() >= WORKSPACES && !self.evict(|_| true) {
            return Err(Full::Service);
        }
        let id = WorkspaceId::from_entropy(entropy);
        let number = WorkspaceNumber(self.next);
        self.next += 1;
        let entry = Entry {
            number,
            minted_by: stream,
            attached: BTreeSet::new(),
            active: 0,
            uses: 0,
            last_used: now,
            emptied: None,
            retiring: false,
            images: Rc::default(),
        };
        self.entries.insert(id.clone(), entry);
        self.handles.insert(number, id.clone());
        Ok((id, number))
    }

    /// The stream keeps the workspace alive until it releases it or goes away.
    pub(crate) fn attach(&mut self, id: &WorkspaceId, stream: StreamNumber, now: Instant) -> bool {
        self.expire(now);
        match self.entries.get_mut(id).filter(|entry| !entry.retiring) {
            Some(entry) => {
                entry.attached.insert(stream);
                true
            }
            None => false,
        }
    }

    /// Unknown, expired and released handles alike give nothing.
    pub(crate) fn find(&mut self, id: &WorkspaceId, now: Instant) -> Option<WorkspaceNumber> {
        self.expire(now);
        self.entries.get(id).filter(|entry| !entry.retiring).map(|entry| entry.number)
    }

    /// A call starts: the workspace lives at least until it ends.
    pub(crate) fn begin(&mut self, number: WorkspaceNumber, now: Instant) {
        if let Some(entry) = self.entry(number) {
            entry.active += 1;
            entry.uses += 1;
            entry.last_used = now;
            entry.emptied = None;
        }
    }

    pub(crate) fn end(&mut self, number: WorkspaceNumber, now: Instant) {
        let Some(entry) = self.entry(number) else { return };
        entry.active -= 1;
        entry.last_used = now;
        if entry.retiring && entry.active == 0 {
            self.remove(number);
        }
    }

    /// Given up by its owner: at once, or with its last active call.
    pub(crate) fn release(&mut self, id: &WorkspaceId) {
        let Some(entry) = self.entries.get_mut(id) else { return };
        entry.retiring = true;
        if entry.active == 0 {
            let number = entry.number;
            self.remove(number);
        }
    }

    /// The stream is gone without a word: its workspaces have their idle time from now.
    pub(crate) fn detach(&mut self, stream: StreamNumber, now: Instant) {
        for entry in self.entries.values_mut() {
            if entry.attached.remove(&stream) {
                entry.last_used = entry.last_used.max(now);
            }
        }
    }

    pub(crate) fn expire(&mut self, now: Instant) {
        let over = |entry: &Entry| entry.idle() && entry.until(self.idle, self.empty) <= now;
        let over: Vec<_> =
            self.entries.values().filter(|entry| over(entry)).map(|entry| entry.number).collect();
        for number in over {
            self.remove(number);
        }
    }

    /// When the next workspace will have been idle for too long.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let idle = self.entries.values().filter(|entry| entry.idle());
        idle.map(|entry| entry.until(self.idle, self.empty)).min()
    }

    /// Its last tab went, and with it what there was to come back to.
    pub(crate) fn emptied(&mut self, number: WorkspaceNumber, now: Instant) {
        if let Some(entry) = self.entry(number) {
            entry.emptied = Some(now);
        }
    }

    /// It has a tab again.
    pub(crate) fn filled(&mut self, number: WorkspaceNumber) {
        if let Some(entry) = self.entry(number) {
            entry.emptied = None;
        }
    }

    /// What ended since the last time: its tabs, queues and pictures go too.
    pub(crate) fn take_ended(&mut self) -> Vec<WorkspaceNumber> {
        std::mem::take(&mut self.ended)
    }

    pub(crate) fn alive(&self, number: WorkspaceNumber) -> bool {
        self.handles.contains_key(&number)
    }

    pub(crate) fn images(&mut self, number: WorkspaceNumber) -> Rc<RefCell<Images>> {
        self.entry(number).map(|entry| Rc::clone(&entry.images)).unwrap_or_default()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn entry(&mut self, number: WorkspaceNumber) -> Option<&mut Entry> {
        let id = self.handles.get(&number)?;
        self.entries.get_mut(id)
    }

    /// Ends the longest idle of the workspaces that were used at most once, or have lost their tabs.
    fn evict(&mut self, eligible: impl Fn(&Entry) -> bool) -> bool {
        let unused = |entry: &&Entry| {
            entry.idle() && (entry.uses <= 1 || entry.emptied.is_some()) && eligible(entry)
        };
        let oldest = self.entries.values().filter(unused).min_by_key(|entry| entry.last_used);
        let Some(number) = oldest.map(|entry| entry.number) else { return false };
        self.remove(number);
        true
    }

    fn remove(&mut self, number: WorkspaceNumber) {
        if let Some(id) = self.handles.remove(&number) {
            self.entries.remove(&id);
            self.ended.push(number);
        }
    }
}
