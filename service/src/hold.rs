//! Whether the person lets Ghostlight act in each browser, as the extensions report it.

use ghostlight_transport::browser_wire::Latch;
use std::collections::HashMap;

/// Authority over one run of a browser between two decisions of the person. A call keeps the epoch it
/// was admitted in; in another one it has to be asked again.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Epoch {
    run: u64,
    decision: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Hold {
    browsers: HashMap<u32, State>,
}

#[derive(Debug, Default, Clone, Copy)]
struct State {
    latch: Latch,
    epoch: Epoch,
}

/// Why a call may not act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    Paused,
    Stopped,
    /// The person paused and resumed while the call waited.
    Interrupted,
    /// The browser ended and was started again while the call waited.
    Replaced,
}

impl Hold {
    /// What the extension says now. Tells whether calls of that browser lose their authority.
    pub(crate) fn set(&mut self, slot: u32, latch: Latch) -> bool {
        let state = self.browsers.entry(slot).or_default();
        let ends = latch != Latch::Running && state.latch == Latch::Running;
        state.epoch.decision += u64::from(ends);
        state.latch = latch;
        ends
    }

    /// The browser behind the slot is another one: nothing decided before holds.
    pub(crate) fn end_epoch(&mut self, slot: u32) {
        self.browsers.entry(slot).or_default().epoch.run += 1;
    }

    /// A browser never heard of holds nothing.
    pub(crate) fn admits(&self, slot: u32) -> Result<Epoch, Held> {
        let state = self.browsers.get(&slot).copied().unwrap_or_default();
        match state.latch {
            Latch::Running => Ok(state.epoch),
            Latch::Paused => Err(Held::Paused),
            Latch::Stopped => Err(Held::Stopped),
        }
    }

    pub(crate) fn still_admits(&self, slot: u32, epoch: Epoch) -> Result<(), Held> {
        let now = self.admits(slot)?;
        match (now.decision == epoch.decision, now.run == epoch.run) {
            (true, true) => Ok(()),
            (true, false) => Err(Held::Replaced),
            (false, _) => Err(Held::Interrupted),
        }
    }

    /// For a call that uses nothing of the browser's former run: the same authority in the present run,
    /// as long as the person decided nothing meanwhile.
    pub(crate) fn in_present_run(&self, slot: u32, epoch: Epoch) -> Epoch {
        let run = self.browsers.get(&slot).map_or(epoch.run, |state| state.epoch.run);
        Epoch { run, ..epoch }
    }

    pub(crate) fn latch(&self, slot: u32) -> Latch {
        self.browsers.get(&slot).copied().unwrap_or_default().latch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_the_authority_of_that_browser_only() {
        let mut hold = Hold::default();
        let (first, second) = (hold.admits(1).unwrap(), hold.admits(2).unwrap());
        assert!(hold.set(1, Latch::Paused));
        assert_eq!(hold.admits(1), Err(Held::Paused));
        assert_eq!(hold.still_admits(1, first), Err(Held::Paused));
        assert_eq!(hold.still_admits(2, second), Ok(()));
    }

    #[test]
    fn a_call_that_waited_through_a_pause_has_to_ask_again() {
        let mut hold = Hold::default();
        let epoch = hold.admits(1).unwrap();
        hold.set(1, Latch::Stopped);
        assert_eq!(hold.admits(1), Err(Held::Stopped));
        assert!(!hold.set(1, Latch::Running));
        assert_eq!(hold.still_admits(1, epoch), Err(Held::Interrupted));
        assert!(hold.admits(1).is_ok());
    }

    #[test]
    fn saying_running_again_interrupts_nobody() {
        let mut hold = Hold::default();
        let epoch = hold.admits(1).unwrap();
        assert!(!hold.set(1, Latch::Running));
        assert_eq!(hold.still_admits(1, epoch), Ok(()));
        hold.end_epoch(1);
        assert_eq!(hold.still_admits(1, epoch), Err(Held::Replaced));
        assert_eq!(hold.still_admits(1, hold.in_present_run(1, epoch)), Ok(()));
        hold.set(1, Latch::Paused);
        hold.set(1, Latch::Running);
        assert_eq!(hold.still_admits(1, hold.in_present_run(1, epoch)), Err(Held::Interrupted));
    }
}
