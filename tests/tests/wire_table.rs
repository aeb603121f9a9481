//! The table of the wire's obligations: whole, and each named test is there.

use ghostlight_tests::binaries::sources;
use std::collections::BTreeSet;
use std::fs::{read_dir, read_to_string};
use std::path::Path;

/// How many ids each letter has.
const IDS: &[(&str, usize)] = &[
    ("FB", 17),
    ("JB", 10),
    ("MB", 6),
    ("SB", 10),
    ("TB", 15),
    ("AB", 4),
    ("PB", 7),
    ("KB", 5),
    ("L25", 15),
    ("H25", 2),
    ("T25", 6),
    ("N25", 7),
    ("G25", 3),
    ("R25", 5),
    ("Q25", 2),
    ("I25", 1),
    ("E25", 6),
    ("V26", 16),
    ("Z26", 6),
    ("D26", 8),
    ("T26", 9),
    ("C26", 6),
    ("U26", 17),
    ("N26", 7),
    ("P26", 1),
    ("G26", 3),
    ("O26", 1),
    ("I26", 7),
    ("X26", 1),
    ("R26", 2),
    ("Q26", 1),
    ("E26", 9),
    ("B", 13),
    ("TR", 41),
];

/// Error codes that may stand in the edge.
const CODES: &[&str] = &["-32700", "-32600", "-32601", "-32602", "-32603", "-32022"];

fn rust_below(folder: &Path, text: &mut String, product: bool) {
    for entry in read_dir(folder).expect("the sources are there").flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !(product && name == "tests") {
            rust_below(&path, text, product);
        } else if name.ends_with(".rs") && !(product && name == "tests.rs") {
            *text += &read_to_string(&path).expect("a source is text");
        }
    }
}

#[test]
fn every_obligation_has_its_row_and_every_named_test_is_there() {
    let mut code = String::new();
    for folder in ["edge", "service/src", "tests/tests", "transport/src"] {
        rust_below(&sources().join(folder), &mut code, false);
    }
    let table = read_to_string(sources().join("edge/WIRE.md")).expect("the table is there");
    let mut ids = BTreeSet::new();
    for row in table.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [id, about, shown] = cells[..] else { panic!("{row}") };
        assert!(ids.insert(id.to_owned()), "{id} has two rows");
        let tests: Vec<_> = shown.split('`').skip(1).step_by(2).collect();
        let excused = shown.strip_prefix("not applicable: ").is_some_and(|why| why.len() > 5);
        assert!(!about.is_empty() && (excused || !tests.is_empty()), "{id} is shown by nothing");
        for test in tests {
            assert!(code.contains(&format!("fn {test}()")), "{id}: there is no test {test}");
        }
    }
    let number = |(letter, count): &(&str, usize)| {
        let letter = (*letter).to_owned();
        (1..=*count).map(move |number| format!("{letter}-{number:02}"))
    };
    let due: BTreeSet<_> = IDS.iter().flat_map(number).collect();
    assert_eq!(ids, due);
}

#[test]
fn no_retired_or_foreign_error_code_is_in_the_source() {
    let mut code = String::new();
    rust_below(&sources().join("edge/src"), &mut code, true);
    let found: BTreeSet<_> = code.match_indices("-32").map(|(at, _)| &code[at..at + 6]).collect();
    assert!(found.len() > 3, "{found:?}");
    assert!(found.iter().all(|code| CODES.contains(code)), "{found:?}");
}
