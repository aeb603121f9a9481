//! What a stranger left in the state directory while it was open, and a directory swapped under a start.

use crate::ground::{Squatter, chmod, edge, ghostlight, rounds, run, tools};
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use ghostlight_tests::user::{User, available};
use serde_json::json;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

const PRECIOUS: &str = "what a link must not lead us to";

/// The owner's folder as it was left open to all for a while.
fn open_for_a_while(home: &Home, plant: impl FnOnce(&Path)) -> PathBuf {
    let state = home.state();
    if !state.exists() {
        std::fs::create_dir(&state).unwrap();
        home.user().unwrap().own(&state);
    }
    chmod(&state, 0o777);
    plant(&state);
    chmod(&state, 0o700);
    state
}

/// A file of the owner's that nothing of ours has to do with.
fn victim(home: &Home) -> PathBuf {
    let path = home.path().join("victim");
    std::fs::write(&path, PRECIOUS).unwrap();
    home.user().unwrap().own(&path);
    chmod(&path, 0o600);
    path
}

fn assert_untouched(path: &Path, what: &str) {
    assert_eq!(std::fs::read_to_string(path).unwrap(), PRECIOUS, "{what}");
    assert_eq!(crate::ground::mode(path), 0o600, "{what}");
}

#[test]
fn a_link_planted_where_our_files_go_is_replaced_or_refused_and_never_followed() {
    if !available("a_link_planted_where_our_files_go_is_replaced_or_refused_and_never_followed") {
        return;
    }
    // The names we open; those we make anew in each life are simply made anew.
    for (name, refused) in [
        ("lock", true),
        ("start.lock", true),
        ("key", false),
        ("key.new", false),
        ("edge.sock", false),
        ("browser.sock", false),
    ] {
        let (home, stranger) = (Home::of_a_user(), User::fresh());
        let victim = victim(&home);
        let state = open_for_a_while(&home, |state| {
            let line = format!("ln -s '{}' '{}'", victim.display(), state.join(name).display());
            assert_eq!(stranger.shell(&line), "");
        });
        let outcome = tools(&mut edge(&home));
        if refused {
            let told = outcome.expect_err(name);
            let path = state.join(name).display().to_string();
            let owner = format!("owner uid {}", stranger.uid);
            for word in [&*path, "is a link", &*owner, "mode 0777", "remove it"] {
                assert!(told.contains(word), "{name}: {told} lacks {word}");
            }
            let doctor = run(&mut ghostlight(&home, &["doctor"])).text;
            assert!(doctor.contains(&path) && doctor.contains("remove it"), "{name}: {doctor}");
        } else {
            assert!(outcome.is_ok(), "{name}: {outcome:?}");
            let now = state.join(name).symlink_metadata();
            assert!(now.is_err() || now.is_ok_and(|now| !now.is_symlink()), "{name}");
        }
        assert_untouched(&victim, name);
    }
}

#[test]
fn a_link_planted_where_the_audit_goes_stops_effects_and_doctor_says_why() {
    if !available("a_link_planted_where_the_audit_goes_stops_effects_and_doctor_says_why") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let victim = victim(&home);
    let state = open_for_a_while(&home, |state| {
        let line =
            format!("ln -s '{}' '{}'", victim.display(), state.join("audit.jsonl").display());
        assert_eq!(stranger.shell(&line), "");
    });
    let mut client = Client::connected(&home);
    client.call("tabs_create_mcp", json!({}));
    assert_untouched(&victim, "audit.jsonl");
    let told = run(&mut ghostlight(&home, &["doctor"]));
    let path = state.join("audit.jsonl").display().to_string();
    let owner = format!("owner uid {}", stranger.uid);
    for word in [&*path, "is a link", &*owner, "mode 0777", "remove it"] {
        assert!(told.text.contains(word), "{} lacks {word}", told.text);
    }
    assert_eq!(told.code, Some(1));
}

#[test]
fn a_strangers_socket_in_our_place_gets_no_byte_and_the_next_service_removes_it() {
    if !available("a_strangers_socket_in_our_place_gets_no_byte_and_the_next_service_removes_it") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    let mut squatter = None;
    let state = open_for_a_while(&home, |state| {
        squatter = Some(Squatter::sit(&home, &stranger, &state.join("edge.sock")));
    });
    let mut squatter = squatter.unwrap();
    let told = tools(&mut edge(&home)).unwrap_err();
    let uid = format!("ser {} listens", stranger.uid);
    for word in [&*uid, "not used", "remove edge.sock"] {
        assert!(told.contains(word), "{told} lacks {word}");
    }
    assert_eq!(squatter.visit(), "visited, 0 bytes, then the end");
    let doctor = run(&mut ghostlight(&home, &["doctor"]));
    let owner = format!("{}/edge.sock is not safe: owner uid {}", state.display(), stranger.uid);
    for word in [&*owner, "mode 0777", "remove it or chown it", &uid] {
        assert!(doctor.text.contains(word), "{} lacks {word}", doctor.text);
    }
    assert_eq!(doctor.code, Some(1));
    assert_eq!(squatter.visit(), "visited, 0 bytes, then the end");
    let (_service, _) = crate::ground::serve(&home);
    assert!(tools(&mut edge(&home)).is_ok());
    let socket = state.join("edge.sock").metadata().unwrap();
    assert_eq!(socket.uid(), home.user().unwrap().uid);
}

#[test]
fn a_directory_swapped_while_services_start_never_gets_a_file_of_ours() {
    if !available("a_directory_swapped_while_services_start_never_gets_a_file_of_ours") {
        return;
    }
    let (home, stranger) = (Home::of_a_user(), User::fresh());
    // A parent in which the stranger may rename, as no home should be.
    let open = home.path().join("open");
    std::fs::create_dir(&open).unwrap();
    chmod(&open, 0o777);
    let state = open.join("state");
    home.user().unwrap().shell(&format!("umask 077; mkdir '{}'", state.display()));
    let swap = "cd \"$0\" || exit; mkdir -m 777 trap; while :; do mv state aside; mv trap state; \
                mv state trap; mv aside state; done 2>/dev/null";
    let mut command = stranger.command("/bin/sh");
    let swapping = Process::start(command.args(["-c", swap]).arg(&open));
    for _ in 0..rounds(12) {
        let mut command = edge(&home);
        if let Err(told) = tools(command.env("GHOSTLIGHT_STATE_DIR", &state)) {
            assert!(told.len() > 40, "a refusal says why and what now: {told}");
        }
        run(ghostlight(&home, &["stop"]).env("GHOSTLIGHT_STATE_DIR", &state));
    }
    drop(swapping);
    let traps = std::fs::read_dir(&open).unwrap().flatten();
    for trap in traps.filter(|entry| entry.metadata().unwrap().uid() == stranger.uid) {
        for inside in std::fs::read_dir(trap.path()).unwrap().flatten() {
            let found = inside.metadata().unwrap();
            assert!(found.is_dir() && found.uid() == stranger.uid, "{inside:?} is in a trap");
        }
    }
}
