//! Tests of the start module.

use super::*;
use crate::limits::{START_DEATH, START_DEATHS};
use std::os::unix::fs::PermissionsExt;

#[test]
fn the_directory_is_found_after_an_upgrade_too() {
    let check = |exe: &str, directory: &str| {
        assert_eq!(directory_of(Path::new(exe)), Some(PathBuf::from(directory)), "{exe}");
    };
    check("/opt/bin/connector", "/opt/bin");
    check("/opt/bin/connector (deleted)", "/opt/bin");
    check("/opt/a (deleted)/connector", "/opt/a (deleted)");
}

#[test]
fn programs_that_others_could_change_are_not_started() {
    for (owner, mode, fine) in [
        (1000, 0o755, true),
        (0, 0o755, true),
        (0, 0o555, true),
        (1001, 0o755, false),
        (1000, 0o775, false),
        (1000, 0o757, false),
        (0, 0o777, false),
    ] {
        assert_eq!(distrust(owner, mode, 1000).is_none(), fine, "{owner} {mode:o}");
    }
}

#[test]
fn a_folder_in_which_others_can_rename_leads_to_no_program() {
    let unmapped = overflow_uid();
    for (owner, mode, fine) in [
        (1000, 0o755, true),
        (0, 0o1777, true),
        (0, 0o775, true),
        (unmapped, 0o755, true),
        (0, 0o777, false),
        (1001, 0o755, false),
    ] {
        assert_eq!(distrust_above(owner, mode, 1000).is_none(), fine, "{owner} {mode:o}");
    }
    let unmapped = distrust(unmapped, 0o755, 1000);
    assert!(unmapped.is_some_and(|why| why.contains("namespace")));
}

#[test]
fn the_environment_of_a_service_is_a_short_list() {
    for name in ["HOME", "PATH", "TZ", "GHOSTLIGHT_STATE_DIR", "GHOSTLIGHT_X"] {
        assert!(passes(name.as_bytes()), "{name}");
    }
    for name in ["LD_PRELOAD", "XDG_RUNTIME_DIR", "GOOGLE_API_KEY", "home", "", "HOMES"] {
        assert!(!passes(name.as_bytes()), "{name}");
    }
}

#[test]
fn a_missing_program_is_named() {
    let error = sibling("no-such-program").unwrap_err().to_string();
    assert!(error.contains("no-such-program") && error.contains("install"), "{error}");
}

/// A starter whose service is a shell script.
fn starter_of(script: &str) -> (tempfile::TempDir, Starter) {
    let home = tempfile::tempdir().unwrap();
    let program = home.path().join("service.sh");
    std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let place = Place::for_test(&home.path().join("state"), "test-1");
    let starter = Starter::of(place, Program::At(program));
    (home, starter)
}

#[test]
fn a_service_that_dies_at_each_start_is_left_alone_and_the_reason_is_told() {
    let (home, mut starter) = starter_of("echo >> \"$0.starts\"; exit 7");
    let begun = Instant::now();
    let error = async_io::block_on(starter.ensure(Role::Edge)).unwrap_err();
    assert!(begun.elapsed() < START_DEATH);
    let text = error.to_string();
    assert!(matches!(error, StartError::Suspended { .. }) && text.contains("exit status: 7"));
    assert!(async_io::block_on(starter.ensure(Role::Edge)).is_err(), "still suspended");
    let starts = std::fs::read_to_string(home.path().join("service.sh.starts")).unwrap();
    assert_eq!(starts.lines().count(), START_DEATHS);
}

#[test]
fn a_started_service_sees_little_of_its_starter() {
    let (home, mut starter) =
        starter_of("{ pwd; echo \"$@\"; env; ls -l /proc/$$/fd; } > \"$0.seen\"; exit 1");
    assert!(async_io::block_on(starter.ensure(Role::Browser)).is_err());
    let seen = std::fs::read_to_string(home.path().join("service.sh.seen")).unwrap();
    let mut lines = seen.lines();
    assert_eq!((lines.next(), lines.next()), (Some("/"), Some("service --started")));
    assert!(seen.contains("GHOSTLIGHT_INSTANCE=test-1\n"), "{seen}");
    assert!(!seen.contains("CARGO"), "{seen}");
    for fd in ["0 -> /dev/null", "2 -> /dev/null"] {
        assert!(seen.contains(fd), "{seen}");
    }
}

#[test]
fn who_does_not_have_the_turn_starts_nothing() {
    let (home, mut starter) = starter_of("echo >> \"$0.starts\"; exit 7");
    let _turn = try_lock(starter.place(), START_LOCK).unwrap().unwrap();
    let waiting = async {
        Timer::after(Duration::from_millis(200)).await;
        None
    };
    let outcome = async_io::block_on(async { Some(starter.ensure(Role::Edge).await) }.or(waiting));
    assert!(outcome.is_none());
    assert!(!home.path().join("service.sh.starts").exists());
}

#[test]
fn a_replaced_state_directory_is_opened_anew() {
    let (home, mut starter) = starter_of("exit 7");
    std::fs::rename(home.path().join("state"), home.path().join("old")).unwrap();
    assert!(async_io::block_on(starter.ensure(Role::Edge)).is_err());
    assert!(starter.place().still_there());
    assert!(home.path().join("state").is_dir());
}
