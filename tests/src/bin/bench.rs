//! `make bench`: prints one JSON object of figures; fails when one misses its budget.

use ghostlight_tests::bench::figures::{Budget, Figures, percentile};
use ghostlight_tests::bench::pipe::milliseconds;
use ghostlight_tests::bench::{calls, comparison, crowds, sizes, starts};
use ghostlight_tests::stage::Stage;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

type Part = (&'static str, fn(&mut Figures));
/// Names on the command line choose among them.
const PARTS: [Part; 10] = [
    ("cold", starts::cold),
    ("warm", starts::warm),
    ("local", calls::local),
    ("browser", calls::through_a_browser),
    ("together", crowds::together),
    ("beside", crowds::beside_idle_ones),
    ("comparison", comparison::over_prefixes),
    ("rest", sizes::at_rest),
    ("disk", sizes::on_disk),
    ("page", large_page),
];

fn main() -> ExitCode {
    let mut figures = Figures::default();
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    for (name, measure) in PARTS {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            measure(&mut figures);
        }
    }
    // A closed stdout is the reader's choice.
    let _ = writeln!(std::io::stdout(), "{:#}", figures.to_json());
    match figures.all_kept() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// A page of twenty thousand elements in real Chromium.
fn large_page(figures: &mut Figures) {
    let rows: String =
        (0..5000).map(|n| format!("<tr><td>{n}<td><a href=/{n}>Row {n}</a>")).collect();
    let mut stage = Stage::on(&format!("<title>Large</title><table>{rows}</table>"));
    let mut times = Vec::new();
    for _ in 0..7 {
        let started = Instant::now();
        stage.succeed("read_page", json!({"filter": "all"}));
        times.push(milliseconds(started.elapsed()));
    }
    figures.add("read_20000_elements_ms", percentile(&mut times, 0.5), Budget::AtMost(400.0));
}
