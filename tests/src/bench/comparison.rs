//! Whether the time that comparing two handles takes tells how much of them agrees.

use super::figures::{Budget, Figures};
use ghostlight_transport::handle::WorkspaceId;
use std::hint::black_box;
use std::time::Instant;

const BYTES: usize = 16;
const SECRET: [u8; BYTES] = [0xa5; BYTES];
const SAMPLES: usize = 8_000;
/// Comparisons in one sample: one alone is shorter than the clock's step.
const IN_ONE: usize = 200;
/// The slowest samples are the machine's interruptions.
const KEPT: f64 = 0.9;
/// Where the usual test for leaks by timing draws its line.
const LINE: f64 = 4.5;

/// Welch's t between guesses of which nothing agrees and those that agree up to each byte.
pub fn over_prefixes(figures: &mut Figures) {
    let secret = WorkspaceId::from_entropy(SECRET);
    let none = agreeing(0);
    let worst = (1..=BYTES).map(|bytes| {
        let some = agreeing(bytes);
        let first = between(&secret, [&none, &some]);
        // A leak is there each time; what the machine did meanwhile is not.
        if first > LINE { first.min(between(&secret, [&none, &some])) } else { first }
    });
    let worst = worst.fold(0.0, f64::max);
    figures.add("handle_comparison_welch_t", worst, Budget::AtMost(LINE));
}

fn between(secret: &WorkspaceId, guesses: [&WorkspaceId; 2]) -> f64 {
    let mut times = [Vec::with_capacity(SAMPLES), Vec::with_capacity(SAMPLES)];
    for round in 0..SAMPLES {
        // Neither is always the first.
        for class in [round % 2, (round + 1) % 2] {
            times[class].push(sample(secret, &guesses[class].clone()));
        }
    }
    let [one, other] = times.map(trimmed);
    welch(&one, &other).abs()
}

fn agreeing(bytes: usize) -> WorkspaceId {
    let mut guess = SECRET.map(|byte| !byte);
    guess[..bytes].copy_from_slice(&SECRET[..bytes]);
    WorkspaceId::from_entropy(guess)
}

fn sample(secret: &WorkspaceId, guess: &WorkspaceId) -> f64 {
    let begun = Instant::now();
    for _ in 0..IN_ONE {
        black_box(black_box(secret) == black_box(guess));
    }
    begun.elapsed().as_secs_f64()
}

fn trimmed(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times.truncate((times.len() as f64 * KEPT) as usize);
    times
}

fn welch(one: &[f64], other: &[f64]) -> f64 {
    let describe = |samples: &[f64]| {
        let count = samples.len() as f64;
        let mean = samples.iter().sum::<f64>() / count;
        let square = samples.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (mean, square / (count - 1.0) / count)
    };
    let ((one, its), (other, others)) = (describe(one), describe(other));
    (one - other) / (its + others).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_that_differ_cross_the_line_and_those_that_do_not_stay_below() {
        let times = |shift: f64| -> Vec<f64> {
            (0..1000).map(|n| f64::from(n * 7919 % 101) + shift).collect()
        };
        assert!(welch(&times(0.0), &times(0.0)).abs() < 0.1);
        assert!(welch(&times(0.0), &times(10.0)).abs() > LINE);
    }
}
