//! State directories in which others could do what they like, or that are not where one thinks.

use crate::ground::{all_refuse, chmod, edge, ghostlight, knock, mode, run, tools};
use ghostlight_tests::binaries::EDGE;
use ghostlight_tests::home::Home;
use ghostlight_tests::user::{User, available};
use ghostlight_tests::wait::{LONG, until};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Below the home, where the default place is.
const BELOW: &str = ".local/state/ghostlight/rig";

fn by_home(home: &Home) -> impl Fn(&mut Command) {
    let path = home.path().to_owned();
    move |command| {
        command.env_remove("GHOSTLIGHT_STATE_DIR").env("HOME", &path);
    }
}

/// Makes the default place as its owner would.
fn made(home: &Home) -> PathBuf {
    let user = home.user().unwrap();
    user.shell(&format!("umask 077; mkdir -p '{}'", home.path().join(BELOW).display()));
    home.path().join(BELOW)
}

fn text(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_directory_open_to_others_is_refused_by_all_programs_with_path_owner_mode_and_remedy() {
    if !available("a_directory_open_to_others_is_refused_by_all_programs") {
        return;
    }
    let home = Home::of_a_user();
    let owner = format!("owner uid {}", home.user().unwrap().uid);
    made(&home);
    for (below, bad, remedy) in [
        (BELOW, 0o777, "chmod u=rwX,go="),
        (BELOW, 0o750, "chmod u=rwX,go="),
        (BELOW, 0o000, "chmod u=rwX,go="),
        (".local/state/ghostlight", 0o701, "chmod u=rwX,go="),
        (".local/state", 0o777, "chmod o-w"),
        (".local", 0o1777, "chmod o-w"),
    ] {
        let path = home.path().join(below);
        let before = mode(&path);
        chmod(&path, bad);
        let words = [&text(&path), &*owner, &format!("mode {bad:04o}"), remedy];
        all_refuse(below, &home, by_home(&home), &words);
        chmod(&path, before);
    }
    let mut command = edge(&home);
    by_home(&home)(&mut command);
    assert!(tools(&mut command).is_ok(), "closed again, it serves");
}

#[test]
fn a_directory_of_a_stranger_is_refused_whatever_its_mode() {
    if !available("a_directory_of_a_stranger_is_refused_whatever_its_mode") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let path = made(&home);
    stranger.own(&path);
    for bad in [0o700, 0o755, 0o777] {
        chmod(&path, bad);
        let owner = format!("owner uid {}", stranger.uid);
        let words = [&text(&path), &*owner, &format!("mode {bad:04o}"), "chown"];
        all_refuse("a foreign directory", &home, by_home(&home), &words);
    }
    assert_eq!(std::fs::read_dir(&path).unwrap().count(), 0, "nothing was left there");
}

#[test]
fn a_link_in_place_of_the_directory_is_not_followed() {
    if !available("a_link_in_place_of_the_directory_is_not_followed") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let trap = tempfile::tempdir().unwrap();
    stranger.own(trap.path());
    let path = made(&home);
    std::fs::remove_dir(&path).unwrap();
    symlink(trap.path(), &path).unwrap();
    let words =
        [&*text(&path), "is a link", "owner uid 0", "mode 0777", "make it a real directory"];
    all_refuse("a link", &home, by_home(&home), &words);
    assert_eq!(std::fs::read_dir(trap.path()).unwrap().count(), 0, "nothing was left there");
}

#[test]
fn a_home_that_is_not_ours_is_not_used_and_said() {
    if !available("a_home_that_is_not_ours_is_not_used_and_said") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let foreign = tempfile::tempdir().unwrap();
    stranger.own(foreign.path());
    chmod(foreign.path(), 0o777);
    // This user is in no password database: there is no other home to turn to.
    for value in ["", "relative/home", "/nowhere/at/all", &*text(foreign.path())] {
        let change = |command: &mut Command| {
            command.env_remove("GHOSTLIGHT_STATE_DIR").env("HOME", value);
        };
        let uid = format!("uid {}", home.user().unwrap().uid);
        let words = ["no home directory", &uid, "set HOME or GHOSTLIGHT_STATE_DIR"];
        all_refuse(&format!("HOME={value:?}"), &home, change, &words);
    }
    assert_eq!(std::fs::read_dir(foreign.path()).unwrap().count(), 0, "nothing was left there");
}

#[test]
fn a_state_directory_given_by_half_a_path_is_refused() {
    let home = Home::new();
    let change = |command: &mut Command| {
        command.env("GHOSTLIGHT_STATE_DIR", "state");
    };
    all_refuse("relative", &home, change, &["GHOSTLIGHT_STATE_DIR=state", "give a full path"]);
    assert!(!home.path().join("state").exists());
}

#[test]
fn under_a_umask_of_nothing_all_that_is_made_is_the_owners_alone() {
    if !available("under_a_umask_of_nothing_all_that_is_made_is_the_owners_alone") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let mut command = home.command("/bin/sh");
    command.args(["-c", "umask 000; exec \"$0\""]).arg(home.program(EDGE));
    by_home(&home)(&mut command);
    assert!(tools(&mut command).is_ok());
    let path = home.path().join(BELOW);
    for folder in [path.parent().unwrap(), &path] {
        assert_eq!(mode(folder), 0o700, "{}", folder.display());
    }
    let names = until("the service's files", LONG, || {
        let names: Vec<_> = std::fs::read_dir(&path).unwrap().flatten().collect();
        (names.len() >= 5).then_some(names)
    });
    for entry in names {
        assert_eq!(mode(&entry.path()), 0o600, "{}", entry.path().display());
    }
    for socket in ["edge.sock", "browser.sock"] {
        let told = knock(&home, &stranger, &path.join(socket));
        assert!(told.contains("kept out: Permission denied"), "{told}");
    }
    assert!(stranger.shell(&format!("ls '{}'", path.display())).contains("Permission denied"));
    let mut command = ghostlight(&home, &["doctor"]);
    by_home(&home)(&mut command);
    let told = run(&mut command).text;
    assert!(told.contains("mode 0700") && told.contains("readable by this user only"), "{told}");
}
