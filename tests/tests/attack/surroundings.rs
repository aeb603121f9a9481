//! Odd environments and long names: the programs meet all the same.

use crate::ground::{edge, ghostlight, run, tools};
use ghostlight_tests::binaries::{EDGE, SERVICE};
use ghostlight_tests::home::Home;
use std::process::Command;

/// `env -i HOME=… PATH=…` and no more.
fn bare(home: &Home) -> Command {
    let mut command = edge(home);
    command.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    command
}

/// All that a desktop session puts into an environment.
fn full(home: &Home) -> Command {
    let mut command = bare(home);
    let elsewhere = home.path().join("elsewhere");
    for name in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR"]
    {
        command.env(name, &elsewhere);
    }
    command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere").env("DISPLAY", ":9");
    command
}

#[test]
fn a_bare_environment_and_a_full_one_meet_at_one_service() {
    for (what, first, second) in [
        ("bare first", bare as fn(&Home) -> Command, full as fn(&Home) -> Command),
        ("full first", full, bare),
    ] {
        let home = Home::new();
        assert!(tools(&mut first(&home)).is_ok(), "{what}");
        let service = home.running(SERVICE);
        assert!(tools(&mut second(&home)).is_ok(), "{what}");
        assert_eq!(home.running(SERVICE), service, "{what}: one and the same");
        assert_eq!(service.len(), 1, "{what}");
        assert!(home.path().join(".local/state/ghostlight/default/edge.sock").exists(), "{what}");
        assert!(!home.path().join("elsewhere").exists(), "{what}");
    }
}

#[test]
fn directories_of_any_length_and_script_hold_the_sockets() {
    let home = Home::new();
    let socket = "/edge.sock".len();
    for length in [90, 99, 105, 106, 107, 108, 109, 120, 140] {
        let before = home.path().as_os_str().len() + "/".len() + socket;
        let (two_bytes, one) = ((length - before) / 2, (length - before) % 2);
        let name = "é".repeat(two_bytes) + &"x".repeat(one);
        let state = home.path().join(&name);
        assert_eq!(state.join("edge.sock").as_os_str().len(), length);
        let told = tools(edge(&home).env("GHOSTLIGHT_STATE_DIR", &state));
        assert!(told.is_ok(), "{length}: {told:?}");
        assert!(state.join("edge.sock").exists(), "{length}: never cut");
        let status = run(ghostlight(&home, &["status"]).env("GHOSTLIGHT_STATE_DIR", &state));
        assert_eq!(status.code, Some(0), "{length}: {}", status.text);
        run(ghostlight(&home, &["stop"]).env("GHOSTLIGHT_STATE_DIR", &state));
    }
}

#[test]
fn an_instance_that_is_no_name_is_refused_and_never_a_path() {
    let home = Home::new();
    for name in ["../up", "a/b", "UPPER", "ends-", "é"] {
        let said = run(edge(&home).env("GHOSTLIGHT_INSTANCE", name));
        assert_ne!(said.code, Some(0), "{name}: {}", said.text);
        assert!(said.text.contains("is no instance name"), "{name}: {}", said.text);
    }
    let folders = std::fs::read_dir(home.path()).unwrap().flatten();
    let folders: Vec<_> = folders.filter(|entry| entry.metadata().unwrap().is_dir()).collect();
    assert_eq!(folders.len(), 1, "only the programs: {folders:?}");
    assert!(home.program(EDGE).exists());
}
