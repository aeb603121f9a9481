//! `make bench`: prints one JSON object of figures; fails when one misses its budget.

use ghostlight_tests::bench::figures::Figures;
use ghostlight_tests::bench::{acting, calls, comparison, crowds, pages, sizes, starts};
use std::io::Write;
use std::process::ExitCode;

type Part = (&'static str, fn(&mut Figures));
/// Names on the command line choose among them.
const PARTS: [Part; 12] = [
    ("cold", starts::cold),
    ("warm", starts::warm),
    ("local", calls::local),
    ("browser", calls::through_a_browser),
    ("together", crowds::together),
    ("beside", crowds::beside_idle_ones),
    ("comparison", comparison::over_prefixes),
    ("rest", sizes::at_rest),
    ("disk", sizes::on_disk),
    ("reading", pages::reading),
    ("picturing", pages::picturing),
    ("acting", acting::in_chromium),
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
