//! Random schedules with fixed seeds against a reference that is slow, obvious and written apart.

use super::*;
use ghostlight_transport::limits::QUEUE;
use std::collections::BTreeSet;

/// A small generator with a full period: the walks are the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[derive(Clone)]
struct Call {
    ticket: Ticket,
    key: Key,
    workspace: WorkspaceNumber,
    until: Instant,
    /// Calls of its own workspace that stood before it in its queue.
    before: u64,
    /// Later calls of other workspaces that went first.
    overtaken: HashMap<WorkspaceNumber, u64>,
}

/// Everything in plain lists, looked through from the start each time.
#[derive(Default)]
struct Reference {
    waiting: Vec<Call>,
    active: Vec<(Ticket, Key)>,
    /// When a workspace last went to the end of a key's line.
    joined: HashMap<(Key, WorkspaceNumber), u64>,
    /// Browsers whose whole had the last turn.
    tabs_next: BTreeSet<u32>,
    clock: u64,
}

impl Reference {
    fn waits(&self, fits: impl Fn(&Call) -> bool) -> usize {
        self.waiting.iter().filter(|call| fits(call)).count()
    }

    fn crowded(&self, key: Key, workspace: WorkspaceNumber) -> Option<Crowded> {
        if self.waiting.len() >= WAITING {
            Some(Crowded::Service)
        } else if self.waits(|call| call.workspace == workspace) >= WAITING_PER_WORKSPACE {
            Some(Crowded::Workspace)
        } else if self.waits(|call| call.key == key) >= WAITING_PER_KEY {
            Some(Crowded::Key)
        } else {
            None
        }
    }

    fn submit(&mut self, ticket: Ticket, key: Key, workspace: WorkspaceNumber, until: Instant) {
        let before = self.waits(|call| call.key == key && call.workspace == workspace) as u64;
        if before == 0 {
            self.join(key, workspace);
        }
        let overtaken = HashMap::new();
        self.waiting.push(Call { ticket, key, workspace, until, before, overtaken });
    }

    fn join(&mut self, key: Key, workspace: WorkspaceNumber) {
        self.clock += 1;
        self.joined.insert((key, workspace), self.clock);
    }

    fn is_active(&self, key: Key) -> bool {
        self.active.iter().any(|(_, active)| *active == key)
    }

    /// Lets the next call of a free key act; its ticket.
    fn start(&mut self, key: Key) -> Option<Ticket> {
        if self.is_active(key) {
            return None;
        }
        let turn = |call: &Call| (self.joined[&(key, call.workspace)], call.ticket);
        let next = self.waiting.iter().filter(|call| call.key == key).min_by_key(|c| turn(c))?;
        let (ticket, workspace) = (next.ticket, next.workspace);
        self.waiting.retain(|call| call.ticket != ticket);
        self.join(key, workspace);
        self.active.push((ticket, key));
        for call in &mut self.waiting {
            if call.key == key && call.workspace != workspace && call.ticket < ticket {
                let times = call.overtaken.entry(workspace).or_default();
                *times += 1;
                assert!(*times <= call.before + 1, "{:?} starves", call.ticket);
            }
        }
        Some(ticket)
    }

    fn tabs_of(&self, slot: u32) -> BTreeSet<Key> {
        let keys = self.waiting.iter().map(|call| call.key);
        keys.filter(|key| key.slot() == slot && *key != Key::Browser { slot }).collect()
    }

    fn grant(&mut self, slot: u32) -> Vec<Ticket> {
        let whole = Key::Browser { slot };
        if self.is_active(whole) {
            return Vec::new();
        }
        let tabs = self.tabs_of(slot);
        let whole_waits = self.waits(|call| call.key == whole) > 0;
        let tab_could = tabs.iter().any(|key| !self.is_active(*key));
        let tab_acts = self.active.iter().any(|(_, key)| key.slot() == slot);
        if whole_waits && !(self.tabs_next.contains(&slot) && tab_could) {
            if tab_acts {
                return Vec::new();
            }
            self.tabs_next.insert(slot);
            return self.start(whole).into_iter().collect();
        }
        self.tabs_next.remove(&slot);
        tabs.into_iter().filter_map(|key| self.start(key)).collect()
    }

    fn release(&mut self, ticket: Ticket) {
        self.active.retain(|(active, _)| *active != ticket);
        self.waiting.retain(|call| call.ticket != ticket);
    }

    fn drop_waiting(&mut self, goes: impl Fn(&Call) -> bool) -> Vec<Ticket> {
        let gone = self.waiting.iter().filter(|call| goes(call)).map(|call| call.ticket).collect();
        self.waiting.retain(|call| !goes(call));
        gone
    }

    fn exclusion(&self) {
        let keys: BTreeSet<_> = self.active.iter().map(|(_, key)| *key).collect();
        assert_eq!(keys.len(), self.active.len(), "one active call per key");
        for key in &keys {
            let whole = Key::Browser { slot: key.slot() };
            assert!(*key == whole || !keys.contains(&whole), "a browser excludes its tabs");
        }
    }
}

/// The scheduler beside its reference: after each step they have to agree in every ticket.
struct Walk {
    dice: Dice,
    now: Instant,
    scheduler: Scheduler,
    reference: Reference,
    /// Of 100 steps, so many ask for a turn.
    eager: u64,
    workspaces: u64,
    seen: BTreeSet<&'static str>,
}

const SLOTS: u32 = 2;

impl Walk {
    fn new(seed: u64) -> Self {
        // Few, some and too many calls; the last are slow to check.
        let (eager, workspaces) = match seed % 24 {
            0 => (95, 12),
            1..4 => (55, 5),
            _ => (38, 3),
        };
        Self {
            dice: Dice(seed),
            now: Instant::now(),
            scheduler: Scheduler::new(QUEUE),
            reference: Reference::default(),
            eager,
            workspaces,
            seen: BTreeSet::new(),
        }
    }

    fn key(&mut self) -> Key {
        let slot = self.dice.roll(u64::from(SLOTS)) as u32 + 1;
        match self.dice.roll(8) {
            0 => Key::Browser { slot },
            1 => Key::Topology { slot, workspace: self.workspace() },
            _ => Key::Surface { slot, native: self.dice.roll(self.workspaces * 2) as i64 },
        }
    }

    fn workspace(&mut self) -> WorkspaceNumber {
        // One asks for more than the others.
        let busy = self.dice.roll(3) == 0;
        WorkspaceNumber(if busy { 0 } else { self.dice.roll(self.workspaces) })
    }

    fn scope(&mut self) -> Scope {
        match self.dice.roll(4) {
            0 => Scope::Everything,
            1 => Scope::Browser { slot: self.dice.roll(u64::from(SLOTS)) as u32 + 1 },
            2 => Scope::Surface { slot: 1, native: self.dice.roll(self.workspaces * 2) as i64 },
            _ => Scope::Workspace(self.workspace()),
        }
    }

    fn step(&mut self) {
        self.now += Duration::from_millis(self.dice.roll(40));
        match self.dice.roll(100) {
            sort if sort < self.eager => self.submit(),
            sort if sort < 97 => self.release(),
            97 => self.cancel(),
            98 => {
                let now = self.now;
                let verdicts = self.scheduler.expire(now);
                self.dropped(verdicts, Retired::Late, |call| call.until <= now);
            }
            _ if self.dice.roll(8) == 0 => {
                let scope = self.scope();
                let verdicts = self.scheduler.retire(scope, Retired::Held);
                let covers = move |call: &Call| scope.covers(call.key, call.workspace);
                self.dropped(verdicts, Retired::Held, covers);
            }
            _ => {}
        }
        assert_eq!(self.scheduler.waiting(), self.reference.waiting.len());
    }

    fn submit(&mut self) {
        let (key, workspace) = (self.key(), self.workspace());
        let crowded = self.reference.crowded(key, workspace);
        match self.scheduler.submit(key, workspace, self.now) {
            Err(why) => {
                assert_eq!(Some(why), crowded);
                self.seen.insert(match why {
                    Crowded::Key => "key",
                    Crowded::Workspace => "workspace",
                    Crowded::Service => "service",
                });
            }
            Ok((ticket, verdicts)) => {
                assert_eq!(crowded, None);
                self.reference.submit(ticket, key, workspace, self.now + QUEUE);
                self.agree(verdicts, Vec::new(), &[key.slot()]);
            }
        }
    }

    fn release(&mut self) {
        let count = self.reference.active.len() as u64;
        if count > 0 {
            let (ticket, key) = self.reference.active[self.dice.roll(count) as usize];
            self.let_go(ticket, key);
        }
    }

    /// A call that gives up while it waits.
    fn cancel(&mut self) {
        let count = self.reference.waiting.len() as u64;
        if count > 0 {
            let call = self.reference.waiting[self.dice.roll(count) as usize].clone();
            self.let_go(call.ticket, call.key);
        }
    }

    fn let_go(&mut self, ticket: Ticket, key: Key) {
        self.reference.release(ticket);
        let verdicts = self.scheduler.release(ticket);
        self.agree(verdicts, Vec::new(), &[key.slot()]);
    }

    fn dropped(&mut self, verdicts: Verdicts, why: Retired, goes: impl Fn(&Call) -> bool) {
        let gone = self.reference.drop_waiting(goes).into_iter();
        let gone = gone.map(|ticket| (ticket, Verdict::Retired(why))).collect();
        let slots: Vec<u32> = (1..=SLOTS).collect();
        self.agree(verdicts, gone, &slots);
    }

    /// The same tickets have the same verdicts: whoever left before or was told before is not among them.
    fn agree(&mut self, mut verdicts: Verdicts, mut expected: Verdicts, slots: &[u32]) {
        for slot in slots {
            let granted = self.reference.grant(*slot).into_iter();
            expected.extend(granted.map(|ticket| (ticket, Verdict::Granted)));
        }
        verdicts.sort_by_key(|(ticket, _)| *ticket);
        expected.sort_by_key(|(ticket, _)| *ticket);
        assert_eq!(verdicts, expected);
        self.reference.exclusion();
    }

    /// With nobody new, everybody gets a turn.
    fn run_out(&mut self) {
        while !self.reference.active.is_empty() {
            self.release();
        }
        assert!(self.reference.waiting.is_empty(), "nobody waits for nothing");
        let Scheduler { browsers, keys, waiting_of, .. } = &self.scheduler;
        assert!(browsers.is_empty() && keys.is_empty() && waiting_of.is_empty());
    }
}

#[test]
fn a_hundred_thousand_random_steps_agree_with_the_reference() {
    let mut seen = BTreeSet::new();
    for seed in 0..48 {
        let mut walk = Walk::new(seed);
        for _ in 0..2_200 {
            walk.step();
        }
        walk.run_out();
        seen.extend(walk.seen);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["key", "service", "workspace"]);
}
