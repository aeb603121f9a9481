//! Order, exclusion, bounds and ends of waiting.

use super::*;
use ghostlight_transport::limits::QUEUE;

const ONE: WorkspaceNumber = WorkspaceNumber(1);
const TWO: WorkspaceNumber = WorkspaceNumber(2);
const WHOLE: Key = Key::Browser { slot: 1 };

fn tab(native: i64) -> Key {
    Key::Surface { slot: 1, native }
}

struct World {
    scheduler: Scheduler,
    now: Instant,
    granted: Vec<Ticket>,
    retired: Vec<(Ticket, Retired)>,
}

impl World {
    fn new() -> Self {
        let scheduler = Scheduler::new(QUEUE);
        Self { scheduler, now: Instant::now(), granted: Vec::new(), retired: Vec::new() }
    }
    fn take(&mut self, verdicts: Verdicts) {
        for (ticket, verdict) in verdicts {
            match verdict {
                Verdict::Granted => self.granted.push(ticket),
                Verdict::Retired(why) => self.retired.push((ticket, why)),
            }
        }
    }
    fn submit(&mut self, key: Key, workspace: WorkspaceNumber) -> Ticket {
        let (ticket, verdicts) = self.scheduler.submit(key, workspace, self.now).unwrap();
        self.take(verdicts);
        ticket
    }
    fn release(&mut self, ticket: Ticket) {
        let verdicts = self.scheduler.release(ticket);
        self.take(verdicts);
    }
    /// Releases what was granted last, until nobody waits; gives the whole order.
    fn run_out(mut self) -> Vec<Ticket> {
        let mut done = 0;
        while done < self.granted.len() {
            let ticket = self.granted[done];
            done += 1;
            self.release(ticket);
        }
        assert_eq!(self.scheduler.waiting(), 0);
        assert!(self.scheduler.browsers.is_empty() && self.scheduler.keys.is_empty());
        self.granted
    }
}

#[test]
fn a_workspace_keeps_its_order_and_workspaces_take_turns() {
    let mut world = World::new();
    let a: Vec<_> = (0..3).map(|_| world.submit(tab(1), ONE)).collect();
    let b: Vec<_> = (0..2).map(|_| world.submit(tab(1), TWO)).collect();
    assert_eq!(world.run_out(), [a[0], a[1], b[0], a[2], b[1]]);
}

#[test]
fn different_tabs_run_beside_each_other_and_one_tab_does_not() {
    let mut world = World::new();
    let first = world.submit(tab(1), ONE);
    let other = world.submit(tab(2), ONE);
    world.submit(tab(1), ONE);
    let elsewhere = world.submit(Key::Surface { slot: 2, native: 1 }, ONE);
    assert_eq!(world.granted, [first, other, elsewhere]);
}

#[test]
fn a_whole_browser_excludes_its_tabs_and_waits_for_them() {
    let mut world = World::new();
    let first = world.submit(tab(1), ONE);
    let whole = world.submit(WHOLE, ONE);
    let late = world.submit(tab(2), TWO);
    assert_eq!(world.granted, [first], "a waiting browser lets no new tab start");
    world.release(first);
    assert_eq!(world.granted, [first, whole]);
    world.release(whole);
    assert_eq!(world.granted, [first, whole, late]);
}

#[test]
fn browser_and_tabs_alternate_when_both_wait() {
    let mut world = World::new();
    let mut whole: Vec<_> = (0..2).map(|_| world.submit(WHOLE, ONE)).collect();
    let mut tabs: Vec<_> = (0..2).map(|_| world.submit(tab(1), ONE)).collect();
    let order = world.run_out();
    assert_eq!(order, [whole.remove(0), tabs.remove(0), whole.remove(0), tabs.remove(0)]);
}

#[test]
fn every_bound_is_reached_and_said() {
    let mut world = World::new();
    for _ in 0..=WAITING_PER_KEY {
        world.submit(tab(1), ONE);
    }
    let crowded = |world: &mut World, key, workspace| {
        world.scheduler.submit(key, workspace, world.now).map(|_| ()).unwrap_err()
    };
    assert_eq!(crowded(&mut world, tab(1), ONE), Crowded::Key);
    for native in 2..=4 {
        for _ in 0..=WAITING_PER_KEY {
            world.submit(tab(native), ONE);
        }
    }
    assert_eq!(crowded(&mut world, tab(5), ONE), Crowded::Workspace);
    let mut workspace = 10;
    while world.scheduler.waiting() < WAITING {
        for _ in 0..=WAITING_PER_KEY {
            if world.scheduler.waiting() < WAITING {
                world.submit(tab(workspace), WorkspaceNumber(workspace.unsigned_abs()));
            }
        }
        workspace += 1;
    }
    assert_eq!(crowded(&mut world, tab(9999), TWO), Crowded::Service);
}

#[test]
fn a_call_that_waited_too_long_is_retired_and_the_active_one_is_not() {
    let mut world = World::new();
    let first = world.submit(tab(1), ONE);
    let second = world.submit(tab(1), ONE);
    let verdicts = world.scheduler.expire(world.now + QUEUE - std::time::Duration::from_millis(1));
    assert!(verdicts.is_empty());
    let verdicts = world.scheduler.expire(world.now + QUEUE);
    world.take(verdicts);
    assert_eq!(world.retired, [(second, Retired::Late)]);
    world.release(first);
    assert_eq!(world.granted, [first]);
    assert!(world.scheduler.browsers.is_empty());
}

#[test]
fn retiring_reaches_exactly_its_scope() {
    for (scope, wanted) in [
        (Scope::Surface { slot: 1, native: 1 }, vec![0, 1]),
        (Scope::Browser { slot: 1 }, vec![0, 1, 2]),
        (Scope::Workspace(TWO), vec![1, 3]),
    ] {
        let mut world = World::new();
        for key in [tab(1), tab(2), Key::Surface { slot: 2, native: 1 }] {
            world.submit(key, ONE);
        }
        let waiting = [
            world.submit(tab(1), ONE),
            world.submit(tab(1), TWO),
            world.submit(tab(2), ONE),
            world.submit(Key::Surface { slot: 2, native: 1 }, TWO),
        ];
        let verdicts = world.scheduler.retire(scope, Retired::Held);
        world.take(verdicts);
        let mut retired: Vec<_> = world.retired.iter().map(|(ticket, _)| *ticket).collect();
        retired.sort();
        assert_eq!(retired, wanted.iter().map(|n| waiting[*n]).collect::<Vec<_>>(), "{scope:?}");
    }
}

#[test]
fn a_withdrawn_browser_lets_the_tabs_behind_it_start() {
    let mut world = World::new();
    world.submit(tab(1), ONE);
    let whole = world.submit(WHOLE, ONE);
    let behind = world.submit(tab(2), ONE);
    world.release(whole);
    assert_eq!(world.granted.last(), Some(&behind));
}
