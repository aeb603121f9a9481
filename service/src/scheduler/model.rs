//! Random walks against the rules, with fixed seeds.

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

#[derive(Default)]
struct Model {
    waiting: Vec<(Ticket, Key, WorkspaceNumber)>,
    active: Vec<(Ticket, Key)>,
}

impl Model {
    fn follow(&mut self, verdicts: Verdicts) {
        for (ticket, verdict) in verdicts {
            let at = self.waiting.iter().position(|(known, ..)| *known == ticket);
            let (_, key, workspace) =
                self.waiting.remove(at.expect("a verdict for a waiting ticket"));
            if verdict == Verdict::Granted {
                let earlier = |(other, of, by): &(Ticket, Key, WorkspaceNumber)| {
                    *of == key && *by == workspace && *other < ticket
                };
                assert!(!self.waiting.iter().any(earlier), "order within a workspace");
                self.active.push((ticket, key));
            }
        }
        let keys: BTreeSet<_> = self.active.iter().map(|(_, key)| *key).collect();
        assert_eq!(keys.len(), self.active.len(), "one active call per key");
        for key in &keys {
            let whole = Key::Browser { slot: key.slot() };
            assert!(*key == whole || !keys.contains(&whole), "a browser excludes its tabs");
        }
    }
}

fn key(dice: &mut Dice) -> Key {
    let slot = u32::try_from(dice.roll(2)).expect("small") + 1;
    match dice.roll(5) {
        0 => Key::Browser { slot },
        1 => Key::Topology { slot, workspace: WorkspaceNumber(dice.roll(3)) },
        _ => Key::Surface { slot, native: i64::try_from(dice.roll(3)).expect("small") },
    }
}

fn step(dice: &mut Dice, scheduler: &mut Scheduler, model: &mut Model, now: Instant) {
    match dice.roll(10) {
        0..5 => {
            let (key, workspace) = (key(dice), WorkspaceNumber(dice.roll(3)));
            if let Ok((ticket, verdicts)) = scheduler.submit(key, workspace, now) {
                model.waiting.push((ticket, key, workspace));
                model.follow(verdicts);
            }
        }
        5..9 if !model.active.is_empty() => {
            let (ticket, _) = model.active.remove(dice.roll(model.active.len() as u64) as usize);
            model.follow(scheduler.release(ticket));
        }
        9 if dice.roll(8) == 0 => {
            let scope = Scope::Workspace(WorkspaceNumber(dice.roll(3)));
            model.follow(scheduler.retire(scope, Retired::Held));
        }
        _ => model.follow(scheduler.expire(now)),
    }
    assert_eq!(scheduler.waiting(), model.waiting.len());
}

#[test]
fn no_walk_breaks_exclusion_order_or_progress() {
    for seed in 0..40 {
        let (mut dice, mut now) = (Dice(seed), Instant::now());
        let (mut scheduler, mut model) = (Scheduler::new(QUEUE), Model::default());
        for _ in 0..600 {
            now += Duration::from_millis(dice.roll(200));
            step(&mut dice, &mut scheduler, &mut model, now);
        }
        while let Some((ticket, _)) = model.active.pop() {
            model.follow(scheduler.release(ticket));
        }
        assert!(model.waiting.is_empty(), "seed {seed}: nobody waits for nothing");
        assert!(
            scheduler.browsers.is_empty()
                && scheduler.keys.is_empty()
                && scheduler.waiting_of.is_empty()
        );
    }
}
