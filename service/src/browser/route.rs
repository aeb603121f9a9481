//! The routes to the browsers: one slot per profile, whatever connection, worker or run is behind it.
//!
//! Bytes and events go in, effects come out; the driver carries them out in order.

mod asking;
pub(crate) use asking::{NotAsked, to_frame};
mod choice;
pub(crate) use choice::Unchosen;
mod hearing;
#[cfg(test)]
mod tests;

use crate::browser::ConnectionNumber;
use crate::browser::pending::{Answered, Pending};
use crate::browser::tabs::{SharedRecord, Tabs};
use crate::workspace::WorkspaceNumber;
use ghostlight_transport::bridge::BrowserStatus;
use ghostlight_transport::browser_wire::{Hello, Latch, PROTO};
use ghostlight_transport::limits::BROWSERS;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// Random text for a workspace's key; `None` when the system has no entropy.
pub(crate) type MintKey = Box<dyn FnMut() -> Option<String>>;

pub(crate) struct Routes<T> {
    /// Tells this service life's request ids from those of another.
    life: String,
    mint: MintKey,
    slots: Vec<Slot<T>>,
    /// Which slot a connection said hello for; a replaced one may still bring results.
    connections: BTreeMap<ConnectionNumber, u32>,
    bound: HashMap<WorkspaceNumber, u32>,
    next_request: u64,
    attachments: u64,
    protocol_errors: u64,
}

impl<T> fmt::Debug for Routes<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes").field("slots", &self.slots.len()).finish_non_exhaustive()
    }
}

struct Slot<T> {
    number: u32,
    profile: String,
    run: String,
    worker: String,
    browser: (String, String),
    extension: String,
    connection: Option<ConnectionNumber>,
    /// Grows with each hello of a new connection, over all slots.
    attached: u64,
    keys: HashMap<WorkspaceNumber, String>,
    tabs: Tabs,
    pending: Pending<T>,
    last_event: u64,
}

/// What the driver has to do.
#[derive(Debug)]
pub(crate) enum Effect<T> {
    Welcome {
        connection: ConnectionNumber,
    },
    Send {
        connection: ConnectionNumber,
        frame: Vec<u8>,
    },
    /// A newer connection of the same profile took its place.
    Close {
        connection: ConnectionNumber,
    },
    Settle {
        ticket: T,
        answer: Answered,
    },
    /// What the person decided, and how if they did just now.
    Latch {
        slot: u32,
        latch: Latch,
        moved: Option<(String, String)>,
    },
    /// Another run of the browser: what was decided for the earlier one no longer holds.
    RunEnded {
        slot: u32,
    },
    TabGone {
        slot: u32,
        native: i64,
    },
    /// A tab became a workspace's without a call.
    Adopted {
        slot: u32,
        workspace: WorkspaceNumber,
        host: String,
    },
}

pub(crate) type Effects<T> = Vec<Effect<T>>;

/// Why a hello was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
}

impl<T> Routes<T> {
    pub(crate) fn new(life: String, mint: MintKey) -> Self {
        Self {
            life,
            mint,
            slots: Vec::new(),
            connections: BTreeMap::new(),
            bound: HashMap::new(),
            next_request: 1,
            attachments: 0,
            protocol_errors: 0,
        }
    }

    /// A profile is there, for the first time or again.
    pub(crate) fn hello(
        &mut self,
        connection: ConnectionNumber,
        hello: Hello,
    ) -> Result<Effects<T>, Refusal> {
        if !(hello.proto.min..=hello.proto.max).contains(&PROTO) {
            let message = "this service speaks protocol 1; update the extension or Ghostlight";
            return Err(Refusal { code: "protocol", message });
        }
        let index = self.slot_of(&hello)?;
        self.attachments += 1;
        let (attached, life) = (self.attachments, self.life.clone());
        let slot = &mut self.slots[index];
        let mut effects = slot.settle_run(&hello.run_id);
        if let Some(former) = slot.connection.replace(connection)
            && former != connection
        {
            effects.push(Effect::Close { connection: former });
        }
        slot.attached = attached;
        slot.describe(&hello);
        self.connections.insert(connection, slot.number);
        effects.push(Effect::Latch { slot: slot.number, latch: hello.latch, moved: None });
        effects.push(Effect::Welcome { connection });
        let known = hello.pending.iter().filter_map(|id| number_of(&life, id));
        let (lost, again) = slot.pending.reconcile(&hello.worker_id, known);
        for asked in lost {
            let (ticket, answer) = asked.lost("the browser's worker ended before it answered");
            effects.push(Effect::Settle { ticket, answer });
        }
        effects.extend(again.into_iter().map(|frame| Effect::Send { connection, frame }));
        effects.extend(slot.settle_tabs(&hello));
        for key in orphans(slot, &hello) {
            effects.extend(self.release_key(connection, &key));
        }
        Ok(effects)
    }

    /// The connection is gone. Harmless when another has taken its place.
    pub(crate) fn detached(&mut self, connection: ConnectionNumber) {
        if let Some(number) = self.connections.remove(&connection)
            && let Some(slot) = self.slot_mut(number)
            && slot.connection == Some(connection)
        {
            slot.connection = None;
        }
    }

    pub(crate) fn connected(&self, slot: u32) -> bool {
        self.slot(slot).is_some_and(|slot| slot.connection.is_some())
    }

    /// Whether a browser was ever there in this service's life.
    pub(crate) fn any_known(&self) -> bool {
        !self.slots.is_empty()
    }

    /// Workspaces that lost their last tab since somebody last asked.
    pub(crate) fn take_emptied(&mut self) -> Vec<WorkspaceNumber> {
        let mut emptied: Vec<_> =
            self.slots.iter_mut().flat_map(|s| s.tabs.take_emptied()).collect();
        emptied.retain(|workspace| !self.owns_any(*workspace));
        emptied
    }

    pub(crate) fn owns_any(&self, workspace: WorkspaceNumber) -> bool {
        self.slots.iter().any(|slot| slot.tabs.owns_any(workspace))
    }

    pub(crate) fn owned(
        &self,
        slot: u32,
        workspace: WorkspaceNumber,
        native: i64,
    ) -> Option<SharedRecord> {
        self.slot(slot)?.tabs.owned(workspace, native)
    }

    /// The workspace is no more: its tabs are let go everywhere.
    pub(crate) fn end_workspace(&mut self, workspace: WorkspaceNumber) -> Effects<T> {
        self.bound.remove(&workspace);
        let mut effects = Vec::new();
        let mut keys = Vec::new();
        for slot in &mut self.slots {
            let number = slot.number;
            let gone = slot.tabs.end(workspace);
            effects.extend(gone.into_iter().map(|native| Effect::TabGone { slot: number, native }));
            // Without a connection the next hello tells of the orphans.
            keys.extend(slot.keys.remove(&workspace).zip(slot.connection));
        }
        for (key, connection) in keys {
            effects.extend(self.release_key(connection, &key));
        }
        effects
    }

    pub(crate) fn protocol_errors(&self) -> u64 {
        self.protocol_errors
    }

    pub(crate) fn count_protocol_error(&mut self) {
        self.protocol_errors += 1;
    }

    pub(crate) fn status(&self, latch: impl Fn(u32) -> Latch) -> Vec<BrowserStatus> {
        let status = |slot: &Slot<T>| BrowserStatus {
            slot: slot.number,
            name: slot.browser.0.clone(),
            label: self.name(slot),
            version: slot.browser.1.clone(),
            extension: slot.extension.clone(),
            connected: slot.connection.is_some(),
            latch: match latch(slot.number) {
                Latch::Running => "running".into(),
                Latch::Paused => "paused".into(),
                Latch::Stopped => "stopped".into(),
            },
            tabs: slot.tabs.len(),
            requests: slot.pending.len(),
        };
        self.slots.iter().map(status).collect()
    }

    fn slot_of(&mut self, hello: &Hello) -> Result<usize, Refusal> {
        let profile = &hello.profile_id;
        if let Some(index) = self.slots.iter().position(|slot| slot.profile == *profile) {
            return Ok(index);
        }
        if self.slots.len() >= BROWSERS {
            let message = "this service has met too many browser profiles; run: ghostlight stop";
            return Err(Refusal { code: "profiles", message });
        }
        let number = u32::try_from(self.slots.len() + 1).unwrap_or(u32::MAX);
        self.slots.push(Slot::new(number, hello));
        Ok(self.slots.len() - 1)
    }

    fn slot(&self, number: u32) -> Option<&Slot<T>> {
        self.slots.get((number as usize).checked_sub(1)?)
    }

    fn slot_mut(&mut self, number: u32) -> Option<&mut Slot<T>> {
        self.slots.get_mut((number as usize).checked_sub(1)?)
    }
}

impl<T> Slot<T> {
    fn new(number: u32, hello: &Hello) -> Self {
        Self {
            number,
            profile: hello.profile_id.clone(),
            run: hello.run_id.clone(),
            worker: String::new(),
            browser: (String::new(), String::new()),
            extension: String::new(),
            connection: None,
            attached: 0,
            keys: HashMap::new(),
            tabs: Tabs::default(),
            pending: Pending::default(),
            last_event: 0,
        }
    }

    fn describe(&mut self, hello: &Hello) {
        if self.worker != hello.worker_id {
            self.last_event = 0;
            // What the former worker had not told yet went with it.
            for record in self.tabs.records() {
                record.borrow().observed.borrow_mut().gaps += 1;
            }
        }
        self.worker.clone_from(&hello.worker_id);
        self.browser = (shown(&hello.browser.name), shown(&hello.browser.version));
        self.extension = shown(&hello.ext.version);
    }

    /// With another run nothing of the earlier one is left before anybody hears of the new one.
    fn settle_run(&mut self, run: &str) -> Effects<T> {
        if self.run == run {
            return Vec::new();
        }
        run.clone_into(&mut self.run);
        self.last_event = 0;
        let number = self.number;
        let mut effects = vec![Effect::RunEnded { slot: number }];
        let gone = self.tabs.purge().into_iter();
        effects.extend(gone.map(|native| Effect::TabGone { slot: number, native }));
        for asked in self.pending.take_all() {
            let (ticket, answer) = asked.lost("the browser was closed before it answered");
            effects.push(Effect::Settle { ticket, answer });
        }
        effects
    }

    /// The extension's list of adopted tabs is the truth for every key that we know.
    fn settle_tabs(&mut self, hello: &Hello) -> Effects<T> {
        let number = self.number;
        let mut effects = Vec::new();
        for (workspace, key) in &self.keys {
            let mine = hello.tabs.iter().filter(|adopted| adopted.key == *key);
            let listed: Vec<_> = mine.map(|tab| (tab, tab.doc.as_ref())).collect();
            let gone = self.tabs.follow(*workspace, &listed).into_iter();
            effects.extend(gone.map(|native| Effect::TabGone { slot: number, native }));
        }
        effects
    }

    fn workspace_of(&self, key: &str) -> Option<WorkspaceNumber> {
        self.keys.iter().find(|(_, known)| *known == key).map(|(workspace, _)| *workspace)
    }
}

/// Keys of tabs whose workspace we do not know: of an earlier service, or ended meanwhile.
fn orphans<T>(slot: &Slot<T>, hello: &Hello) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for adopted in &hello.tabs {
        if slot.workspace_of(&adopted.key).is_none() {
            keys.insert(adopted.key.clone());
        }
    }
    keys
}

/// Presentation of another program's words in one short line.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(64).collect()
}

fn number_of(life: &str, id: &str) -> Option<u64> {
    id.strip_prefix(life)?.strip_prefix('-')?.parse().ok()
}
