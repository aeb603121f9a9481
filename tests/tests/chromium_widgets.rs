//! Real widgets of the libraries that pages are made of, done by what the tools show and judged by the pages.

use ghostlight_tests::binaries::sources;
use ghostlight_tests::widgets::puzzle::Puzzle;
use ghostlight_tests::widgets::task::Task;
use ghostlight_tests::widgets::trial::Trial;
use std::fs::{read_dir, read_to_string};
use std::path::PathBuf;
use std::process::Command;

/// Comma-separated: only what has one of these in its name, while a page is being written.
const ONLY: &str = "GHOSTLIGHT_WIDGETS";
/// Two puzzles of each MiniWoB++ page.
const SEEDS: [u32; 2] = [1, 2];

fn own() -> PathBuf {
    sources().join("tests/widgets")
}

fn prepared() -> PathBuf {
    let folder = sources().join("target/widgets");
    let prepare = Command::new(own().join("prepare")).arg(&folder).status();
    assert!(prepare.is_ok_and(|status| status.success()), "the pages could not be prepared");
    folder.join("site")
}

fn wanted(name: &str) -> bool {
    let only = std::env::var(ONLY).unwrap_or_default();
    only.split(',').any(|part| name.contains(part))
}

/// Every `pages/PAGE.task` and `pages/PAGE.VARIANT.task`, with its page.
fn tasks() -> Vec<(String, Task)> {
    let mut paths: Vec<_> = read_dir(own().join("pages"))
        .expect("the pages are in the sources")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "task"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = read_to_string(&path).expect("a task can be read");
        let page = format!("/{}.html", name.split('.').next().unwrap_or_default());
        (page, Task::read(&name, &text).expect("a task has known steps"))
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn widgets_are_brought_to_the_state_that_was_asked_for() {
    let mut trial = Trial::on(&prepared());
    for (page, task) in tasks().iter().filter(|(_, task)| wanted(&task.name)) {
        trial.task(page, task);
    }
    let puzzles = read_to_string(own().join("miniwob.tasks")).expect("the puzzles are there");
    for puzzle in Puzzle::read_all(&puzzles).iter().filter(|puzzle| wanted(&puzzle.page)) {
        SEEDS.iter().for_each(|seed| trial.puzzle(puzzle, *seed));
    }
    let failures = &trial.failures;
    assert!(failures.is_empty(), "{} failed:\n\n{}", failures.len(), failures.join("\n\n"));
}
