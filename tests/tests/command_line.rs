//! What `ghostlight` tells its owner.

use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::client::Client;
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::status::ghostlight;
use serde_json::{Value, json};
use std::fs::{DirBuilder, Permissions, set_permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::process::Stdio;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn status_without_a_service_says_so_and_starts_none() {
    let home = Home::new();
    let output = ghostlight(&home, &["status"]);
    assert!(!output.status.success());
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("no Ghostlight service is running"), "{said}");
    assert!(home.processes().is_empty());
}

#[test]
fn status_is_for_people_and_for_programs() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    client.open_tab();
    let people = ghostlight(&home, &["status"]);
    assert!(people.status.success());
    assert!(text(&people.stdout).contains("Fake"), "{}", text(&people.stdout));
    let programs = ghostlight(&home, &["status", "--json"]);
    let value: Value = serde_json::from_slice(&programs.stdout).expect("JSON");
    assert_eq!(value["instance"], "rig");
    assert_eq!(value["browsers"][0]["connected"], true);
    assert_eq!(value["browsers"][0]["latch"], "running");
}

#[test]
fn doctor_names_each_finding_with_its_remedy() {
    let home = Home::new();
    let unwell = ghostlight(&home, &["doctor", "--json"]);
    assert!(!unwell.status.success());
    let report: Value = serde_json::from_slice(&unwell.stdout).expect("JSON");
    assert_eq!(report["healthy"], false);
    let findings = report["findings"].as_array().expect("a list of findings");
    let bad: Vec<_> = findings.iter().filter(|finding| finding["state"] == "bad").collect();
    assert!(!bad.is_empty(), "{report}");
    assert!(bad.iter().all(|finding| finding["remedy"].is_string()), "{report}");
    assert!(report.to_string().contains(&*home.state().to_string_lossy()), "{report}");
    let people = text(&ghostlight(&home, &["doctor"]).stdout);
    for finding in findings {
        assert!(people.contains(finding["name"].as_str().unwrap_or("?")), "{people}");
    }
    assert!(home.processes().is_empty());
}

#[test]
fn an_unsafe_state_directory_is_refused_aloud() {
    let home = Home::new();
    let folder = home.state();
    DirBuilder::new().mode(0o700).create(&folder).expect("the home is writable");
    set_permissions(&folder, Permissions::from_mode(0o777)).expect("it is ours");
    let output = ghostlight(&home, &["doctor"]);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(!output.status.success());
    for word in [&*folder.to_string_lossy(), "0777", "chmod", "owner"] {
        assert!(said.contains(word), "no {word} in {said}");
    }
    let mut client = Client::connected(&home);
    let reply = client.call("explain", json!({}));
    assert_eq!(reply.code(), -33001, "{reply:?}");
    assert!(home.running(SERVICE).is_empty());
}

#[test]
fn every_command_answers_a_call_for_help() {
    let home = Home::new();
    for command in ["service", "stop", "status", "doctor", "audit", "browser", "help", "--help"] {
        let output = ghostlight(&home, &[command, "--help"]);
        assert!(output.status.success(), "{command}");
        assert!(text(&output.stdout).starts_with("ghostlight [--instance NAME]"), "{command}");
    }
    assert!(home.processes().is_empty());
}

#[test]
fn an_instance_named_behind_the_command_is_told_to_go_before_it() {
    let home = Home::new();
    for command in ["service", "stop", "status", "doctor", "audit", "browser"] {
        let output = ghostlight(&home, &[command, "--instance", "dev"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("--instance") && said.contains("before the command"), "{said}");
    }
    assert!(home.processes().is_empty());
}

#[test]
fn an_instance_whose_name_is_no_text_is_refused_by_all_programs() {
    let home = Home::new();
    let bytes = std::ffi::OsStr::from_bytes(b"dev\xff");
    let origin = ghostlight_tests::profile::extension_origin();
    for (program, arguments) in [(SERVICE, &["status"][..]), (EDGE, &[]), (CONNECTOR, &[&origin])] {
        let mut command = home.command(home.program(program));
        command.args(arguments).env("GHOSTLIGHT_INSTANCE", bytes).stderr(Stdio::piped());
        let output = command.output().expect("it starts");
        assert!(!output.status.success(), "{program}");
        assert!(text(&output.stderr).contains("is no instance name"), "{program}: {output:?}");
    }
    assert!(home.processes().is_empty());
}

#[test]
fn the_programs_that_others_start_say_what_they_are_and_who_starts_them() {
    let home = Home::new();
    for (program, starter) in [(EDGE, "clients start it"), (CONNECTOR, "Chromium starts")] {
        for (word, told) in [("--help", starter), ("-h", starter), ("--version", "0.1.0")] {
            let output = home.command(home.program(program)).arg(word).output().expect("it starts");
            let said = text(&output.stdout);
            assert!(output.status.success() && said.contains(told), "{program} {word}: {said}");
            assert!(said.contains(program), "{said}");
        }
    }
    assert!(home.processes().is_empty());
}

#[test]
fn doctor_tells_how_to_use_ones_own_browser_even_beside_an_agents_own() {
    let home = Home::new();
    let hosts = home.state().join("browser/NativeMessagingHosts");
    let told = |home: &Home| text(&ghostlight(home, &["doctor"]).stdout);
    let steps = |told: &str| {
        let own = ".config/chromium/NativeMessagingHosts/org.ghostlight.json";
        told.contains("Load unpacked") && told.contains(own) && told.contains("allowed_origins")
    };
    assert!(steps(&told(&home)), "{}", told(&home));
    DirBuilder::new().mode(0o700).recursive(true).create(&hosts).expect("the home is writable");
    let manifest = json!({
        "name": "org.ghostlight", "description": "d", "type": "stdio",
        "path": home.program(CONNECTOR),
        "allowed_origins": [ghostlight_tests::profile::extension_origin()],
    });
    let file = hosts.join("org.ghostlight.json");
    std::fs::write(&file, manifest.to_string()).expect("it is ours");
    let beside = told(&home);
    assert!(beside.contains(&format!("good  native host: {}", file.display())), "{beside}");
    assert!(steps(&beside), "{beside}");
    let own = home.path().join(".config/chromium/NativeMessagingHosts");
    DirBuilder::new().recursive(true).create(&own).expect("the home is writable");
    std::fs::write(own.join("org.ghostlight.json"), manifest.to_string()).expect("it is ours");
    assert!(!steps(&told(&home)), "{}", told(&home));
}

#[test]
fn an_unknown_command_is_refused_with_the_usage() {
    let home = Home::new();
    for arguments in [
        &["dance"][..],
        &["status", "--loud"],
        &["--nonsense"],
        &["browser", "--loud"],
        &["browser", "stray"],
    ] {
        let output = ghostlight(&home, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("ghostlight --help"), "{arguments:?}");
    }
    assert!(home.processes().is_empty());
}
