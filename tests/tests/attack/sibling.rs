//! Programs that are called as ours are, where somebody else could have put them.

use crate::ground::{chmod, install, run, tools};
use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::home::Home;
use ghostlight_tests::profile::extension_origin;
use ghostlight_tests::user::{User, available};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program called `ghostlight` that leaves a mark where it ran.
fn evil(folder: &Path, mark: &Path) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let program = folder.join(SERVICE);
    std::fs::write(&program, format!("#!/bin/sh\n: > '{}'\n", mark.display())).unwrap();
    chmod(folder, 0o755);
    chmod(&program, 0o755);
    program
}

fn refused(what: &str, mut edge: Command, words: &[&str]) {
    let told = tools(&mut edge).expect_err(what);
    for word in words {
        assert!(told.contains(word), "{what}: {told} lacks {word:?}");
    }
}

#[test]
fn a_program_that_others_can_write_or_replace_is_not_started() {
    let home = Home::new();
    let mark = home.path().join("evil-ran");
    // Which part of the path is open, and how.
    for (part, mode) in
        [("a/b/ghostlight", 0o777), ("a/b/ghostlight", 0o775), ("a/b", 0o777), ("a", 0o777)]
    {
        let folder = install(&home, "a/b", &[EDGE]);
        evil(&folder, &mark);
        let part = home.path().join(part);
        chmod(&home.path().join("a"), 0o755);
        chmod(&part, mode);
        let path = part.display().to_string();
        let words = [&*path, "others may write it", &format!("mode {mode:04o}"), "chmod"];
        refused("an open path", home.command(folder.join(EDGE)), &words);
        assert!(!mark.exists(), "{path} was run");
    }
}

#[test]
fn a_connector_refuses_the_same_and_says_so_on_stderr() {
    let home = Home::new();
    let mark = home.path().join("evil-ran");
    let folder = install(&home, "odd", &[CONNECTOR]);
    chmod(&evil(&folder, &mark), 0o777);
    let log = home.path().join("connector.log");
    let mut command = home.command(folder.join(CONNECTOR));
    command.arg(extension_origin()).stdin(Stdio::piped()).stdout(Stdio::null());
    command.stderr(std::fs::File::create(&log).unwrap());
    let _connector = ghostlight_tests::process::Process::start(&mut command);
    ghostlight_tests::wait::until("the reason", ghostlight_tests::wait::LONG, || {
        let text = std::fs::read_to_string(&log).unwrap();
        text.contains("others may write it (mode 0777)").then_some(())
    });
    assert!(!mark.exists());
}

#[test]
fn a_program_of_a_stranger_is_not_started() {
    if !available("a_program_of_a_stranger_is_not_started") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let mark = home.path().join("evil-ran");
    let uid = format!("belongs to uid {}", stranger.uid);
    let folder = install(&home, "a/b", &[EDGE]);
    let program = evil(&folder, &mark);
    stranger.own(&program);
    let path = program.display().to_string();
    refused("its file", home.command(folder.join(EDGE)), &[&path, &uid]);
    home.user().unwrap().own(&program);
    stranger.own(&folder);
    refused("its folder", home.command(folder.join(EDGE)), &[&folder.display().to_string(), &uid]);
    home.user().unwrap().own(&folder);
    let above = home.path().join("a");
    stranger.own(&above);
    refused("above it", home.command(folder.join(EDGE)), &[&above.display().to_string(), &uid]);
    assert!(!mark.exists());
}

#[test]
fn a_program_first_in_the_path_is_not_even_looked_at() {
    let home = Home::new();
    let mark = home.path().join("evil-ran");
    let trap = home.path().join("trap");
    evil(&trap, &mark);
    let search = format!("{}:/usr/bin:/bin", trap.display());
    let alone = install(&home, "alone", &[EDGE]);
    let mut edge = home.command(alone.join(EDGE));
    edge.env("PATH", &search).current_dir(&trap);
    refused("no sibling", edge, &["alone/ghostlight", "install all programs together"]);
    let mut edge = home.command(home.program(EDGE));
    assert!(tools(edge.env("PATH", &search).current_dir(&trap)).is_ok());
    assert!(!mark.exists());
    run(&mut crate::ground::ghostlight(&home, &["stop"]));
}

#[test]
fn a_link_to_a_program_is_judged_by_where_it_leads() {
    let home = Home::new();
    let mark = home.path().join("evil-ran");
    let folder = install(&home, "linked", &[EDGE]);
    let elsewhere = home.path().join("elsewhere");
    chmod(&evil(&elsewhere, &mark), 0o777);
    std::os::unix::fs::symlink(elsewhere.join(SERVICE), folder.join(SERVICE)).unwrap();
    let path = elsewhere.join(SERVICE).display().to_string();
    refused("a link", home.command(folder.join(EDGE)), &[&path, "others may write it"]);
    assert!(!mark.exists());
}
