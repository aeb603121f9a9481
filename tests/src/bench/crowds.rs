//! Many edges on one service: what they get done together, and what idle ones cost a working one.

use super::calls::call;
use super::figures::{Budget, Figures, percentile};
use super::pipe::Pipe;
use crate::client::Revision;
use crate::home::Home;
use serde_json::json;
use std::io::Write;
use std::sync::{Arc, Barrier};
use std::time::Instant;

const EDGES: usize = 16;
const CALLS: usize = 200;
const IDLE: usize = 200;
const SAMPLES: usize = 2000;

/// Sixteen edges start from a barrier, each with all its calls in one write.
pub fn together(figures: &mut Figures) {
    let home = Home::new();
    let start = Arc::new(Barrier::new(EDGES + 1));
    let work = |mut pipe: Pipe| {
        let start = Arc::clone(&start);
        std::thread::spawn(move || {
            let calls: String = (0..CALLS).map(|id| call(id) + "\n").collect();
            start.wait();
            pipe.stdin.write_all(calls.as_bytes()).expect("the edge reads");
            (0..CALLS).filter(|_| pipe.read().contains(r#""result":"#)).count()
        })
    };
    let pipes: Vec<_> =
        (0..EDGES).map(|_| Pipe::connected(&home, Revision::November2025)).collect();
    let threads: Vec<_> = pipes.into_iter().map(work).collect();
    start.wait();
    let started = Instant::now();
    let answered: usize = threads.into_iter().filter_map(|thread| thread.join().ok()).sum();
    let rate = answered as f64 / started.elapsed().as_secs_f64();
    figures.add("sixteen_edges_answered", answered as f64, Budget::AtLeast((EDGES * CALLS) as f64));
    figures.add("sixteen_edges_calls_per_s", rate, Budget::AtLeast(16_000.0));
}

/// The same calls alone and beside two hundred idle edges, in turns, so that noise meets both.
pub fn beside_idle_ones(figures: &mut Figures) {
    let (quiet, crowded) = (Home::new(), Home::new());
    let _idle: Vec<_> =
        (0..IDLE).map(|_| Pipe::connected(&crowded, Revision::November2025)).collect();
    let mut alone = Pipe::connected(&quiet, Revision::November2025);
    let mut beside = Pipe::connected(&crowded, Revision::November2025);
    let line = alone.tool("explain", json!({}));
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        without.extend(alone.times(&line, SAMPLES / 10));
        with.extend(beside.times(&line, SAMPLES / 10));
    }
    let ratio = percentile(&mut with, 0.5) / percentile(&mut without, 0.5);
    figures.add("two_hundred_idle_edges_ratio", ratio, Budget::AtMost(1.10));
}
