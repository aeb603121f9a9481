//! What `ghostlight` tells its owner.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::Client;
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::status::ghostlight;
use serde_json::{Value, json};
use std::fs::{DirBuilder, Permissions, set_permissions};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

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
fn an_unknown_command_is_refused_with_the_usage() {
    let home = Home::new();
    for arguments in
        [&["dance"][..], &["status", "--loud"], &["--nonsense"], &["browser", "--loud"]]
    {
        let output = ghostlight(&home, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains("ghostlight --help"), "{arguments:?}");
    }
    assert!(home.processes().is_empty());
}
