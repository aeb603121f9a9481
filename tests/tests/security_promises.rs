//! SECURITY.md: every promise names its tests, and each of those names is a test.

#![allow(clippy::unwrap_used)]

use ghostlight_tests::binaries::sources;
use std::collections::HashSet;
use std::fs::{read_dir, read_to_string};
use std::path::Path;

const HEADING: &str = "## What is promised, and the test that shows it";

/// Rust test functions and the sentences of node's tests.
fn tests_below(folder: &Path, found: &mut HashSet<String>) {
    for entry in read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules", ".git"].contains(&&*name) {
            tests_below(&path, found);
        } else if name.ends_with(".rs") {
            rust_tests(&read_to_string(path).unwrap(), found);
        } else if name.ends_with(".test.js") || name.ends_with(".test.mjs") {
            let text = read_to_string(path).unwrap();
            let sentences = text.split("test(\"").skip(1).filter_map(|rest| rest.split('"').next());
            found.extend(sentences.map(str::to_owned));
        }
    }
}

fn rust_tests(text: &str, found: &mut HashSet<String>) {
    for rest in text.split("#[test]\n").skip(1) {
        // Other attributes may stand between.
        let line = rest.lines().find(|line| line.trim_start().starts_with("fn "));
        let name = line.and_then(|line| line.trim_start().strip_prefix("fn ")?.split('(').next());
        found.extend(name.map(str::to_owned));
    }
}

#[test]
fn every_promise_cites_tests_that_exist() {
    let mut tests = HashSet::new();
    for folder in ["browser", "edge", "extension", "service", "tests", "transport"] {
        tests_below(&sources().join(folder), &mut tests);
    }
    let page = read_to_string(sources().join("SECURITY.md")).unwrap();
    let (_, promised) = page.split_once(HEADING).expect("the heading of the promises");
    let promised = promised.split("\n## ").next().unwrap();
    let rows: Vec<&str> = promised.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 15, "{} promises", rows.len());
    let mut cited = HashSet::new();
    for row in rows {
        let (promise, names) = row.trim_end_matches(" |").rsplit_once(" | ").expect("two columns");
        let names: Vec<&str> = names.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test shows: {promise}");
        for name in names {
            assert!(tests.contains(name), "no such test: {name}, for: {promise}");
            assert!(cited.insert(name), "cited twice: {name}");
        }
    }
}
