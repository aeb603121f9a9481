//! How long to wait before trying again, and when to stop trying for a while.

use crate::limits::{START_DEATH, START_DEATHS, START_PAUSE};
use std::time::{Duration, Instant};

/// Waits that double from the first to the last and stay there.
#[derive(Debug, Clone)]
pub struct Backoff {
    first: Duration,
    last: Duration,
    next: Duration,
}

impl Backoff {
    #[must_use]
    pub fn new(first: Duration, last: Duration) -> Self {
        Self { first, last, next: first }
    }

    pub fn next_wait(&mut self) -> Duration {
        let wait = self.next;
        self.next = (wait * 2).min(self.last);
        wait
    }

    /// After a success.
    pub fn reset(&mut self) {
        self.next = self.first;
    }
}

/// Early ends of started services: a broken one is not started over and over.
#[derive(Debug, Default)]
pub struct Deaths {
    early: usize,
    last: Option<Instant>,
    paused_until: Option<Instant>,
}

impl Deaths {
    /// A service that was started at `born` has ended. How it ended does not matter: one that leaves
    /// at once serves nobody.
    pub fn died(&mut self, born: Instant, now: Instant) {
        let age = |then: Instant| now.saturating_duration_since(then);
        if age(born) >= START_DEATH || self.last.is_some_and(|last| age(last) >= START_PAUSE) {
            self.early = 0;
        }
        if age(born) < START_DEATH {
            self.early += 1;
            self.last = Some(now);
        }
        if self.early >= START_DEATHS {
            self.early = 0;
            self.paused_until = Some(now + START_PAUSE);
        }
    }

    /// How long starts are still suspended.
    #[must_use]
    pub fn pause_left(&self, now: Instant) -> Option<Duration> {
        self.paused_until
            .map(|until| until.saturating_duration_since(now))
            .filter(|left| !left.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_last_and_begin_again_after_a_success() {
        let ms = Duration::from_millis;
        let mut backoff = Backoff::new(ms(50), ms(300));
        let waits: Vec<_> = (0..5).map(|_| backoff.next_wait()).collect();
        assert_eq!(waits, [ms(50), ms(100), ms(200), ms(300), ms(300)]);
        backoff.reset();
        assert_eq!(backoff.next_wait(), ms(50));
    }

    #[test]
    fn three_early_deaths_suspend_starts_for_a_while() {
        let (mut deaths, t0) = (Deaths::default(), Instant::now());
        let soon = t0 + START_DEATH / 2;
        for _ in 1..START_DEATHS {
            deaths.died(t0, soon);
            assert_eq!(deaths.pause_left(soon), None);
        }
        deaths.died(t0, soon);
        assert_eq!(deaths.pause_left(soon), Some(START_PAUSE));
        assert_eq!(deaths.pause_left(soon + START_PAUSE), None);
        deaths.died(t0, soon + START_PAUSE);
        assert_eq!(deaths.pause_left(soon + START_PAUSE), None, "the count begins again");
    }

    #[test]
    fn a_late_death_and_a_long_peace_begin_the_count_again() {
        let (mut deaths, t0) = (Deaths::default(), Instant::now());
        for _ in 0..2 * START_DEATHS {
            deaths.died(t0, t0);
            deaths.died(t0, t0 + START_DEATH);
        }
        assert_eq!(deaths.pause_left(t0), None);
        let (mut deaths, mut now) = (Deaths::default(), t0);
        for _ in 0..2 * START_DEATHS {
            deaths.died(now, now);
            now += START_PAUSE;
        }
        assert_eq!(deaths.pause_left(now), None);
    }
}
