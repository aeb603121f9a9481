//! The audit's trail from outside: what a kill leaves in it, what was done to it, a disk that is full.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::Client;
use ghostlight_tests::fake_browser::{FakeBrowser, Twist};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::{Process, send};
use ghostlight_tests::status::{await_browser, ghostlight, service_pid, status};
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs::{read_to_string, write};
use std::path::PathBuf;

fn trail(home: &Home) -> PathBuf {
    home.state().join("audit.jsonl")
}

fn events(home: &Home) -> Vec<Value> {
    let text = read_to_string(trail(home)).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).expect("a record is JSON")).collect()
}

fn verified(home: &Home) -> (Option<i32>, String) {
    let output = ghostlight(home, &["audit", "verify"]);
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn doctor(home: &Home) -> String {
    String::from_utf8_lossy(&ghostlight(home, &["doctor"]).stdout).into_owned()
}

fn navigate(tab: i64) -> Value {
    json!({"tabId": tab, "url": "http://example.test/"})
}

#[test]
fn an_effect_that_a_killed_service_left_open_is_marked_by_the_next_one() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    browser.next("Page.navigate", Twist::Silence);
    client.ask_tool("navigate", navigate(tab));
    browser.await_request("Page.navigate");
    send(service_pid(&home).expect("the service answers"), Signal::KILL);
    // The connector starts the next one; nobody has called it.
    until("the mark", LONG, || {
        let events = events(&home);
        let intent = events.iter().rfind(|event| event["tool"] == "navigate")?;
        events.iter().find(|e| e["event"] == "unresolved" && e["id"] == intent["id"]).map(|_| ())
    });
    assert_eq!(verified(&home).0, Some(0), "{}", verified(&home).1);
}

#[test]
fn verify_tells_an_empty_a_whole_and_a_changed_trail_apart() {
    let home = Home::new();
    assert_eq!(verified(&home).0, Some(3));
    let browser = FakeBrowser::start(&home);
    assert_eq!(verified(&home).0, Some(3));
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    client.succeed("navigate", navigate(tab));
    until("both records", LONG, || {
        let last = events(&home).pop()?;
        (last["event"] == "terminal" && last["tool"] == "navigate").then_some(())
    });
    assert_eq!(verified(&home).0, Some(0), "while the service runs");
    assert!(doctor(&home).contains("unbroken"), "{}", doctor(&home));
    assert_eq!(ghostlight(&home, &["audit"]).status.code(), Some(2));
    assert_eq!(ghostlight(&home, &["audit", "verify", "it"]).status.code(), Some(2));
    drop(browser);
    let text = read_to_string(trail(&home)).expect("the trail");
    write(trail(&home), text.replacen("navigate", "find", 1)).expect("it is ours");
    let (code, words) = verified(&home);
    assert_eq!(code, Some(1), "{words}");
    assert!(words.contains("audit.jsonl line"), "{words}");
    assert!(doctor(&home).contains("removed or changed"), "{}", doctor(&home));
}

#[test]
fn while_nothing_can_be_recorded_effects_are_refused_and_reading_goes_on() {
    const ROOM: &str = "8";
    let home = Home::new();
    // Each file of this service ends at 8 blocks: a disk that is full, and only for it.
    let script = format!("trap '' XFSZ; ulimit -f {ROOM}; exec \"$@\"");
    let mut command = home.command("/bin/sh");
    command.args(["-c", &script, "sh"]).arg(home.program(SERVICE)).arg("service");
    let _service = Process::start(&mut command);
    until("the service", LONG, || status(&home));
    let browser = FakeBrowser::start(&home);
    await_browser(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    let mut refused = until("the end of the room", LONG, || {
        let reply = client.call("navigate", navigate(tab));
        (!reply.is_success()).then_some(reply)
    });
    let sent = browser.requests("Page.navigate").len();
    for _ in 0..3 {
        assert!(refused.is_refusal(), "{refused:?}");
        assert!(
            refused.text.contains("audit") && refused.text.contains("Retry: safe"),
            "{refused:?}"
        );
        refused = client.call("navigate", navigate(tab));
    }
    assert_eq!(browser.requests("Page.navigate").len(), sent, "a refused effect left");
    client.succeed("computer", json!({"tabId": tab, "action": "screenshot"}));
    let said = doctor(&home);
    assert!(said.contains("audit records could not be written"), "{said}");
    assert!(status(&home).is_some_and(|s| s["audit_failing"] == true));
    // What is in the file is whole all the same.
    assert_eq!(verified(&home).0, Some(0), "{}", verified(&home).1);
}

#[test]
fn whoever_has_said_proceed_goes_on_without_a_record_and_doctor_says_so() {
    if !ghostlight_tests::user::available("a read-only directory") {
        return;
    }
    let home = Home::of_a_user();
    let browser = FakeBrowser::start(&home);
    let said = |what: &str| {
        let output = ghostlight(&home, &["audit", what]);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(said("proceed").contains("go on without it"));
    assert!(doctor(&home).contains("note  audit") && doctor(&home).contains("as you have set"));
    let mode = |mode| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(home.state(), mode).expect("root may");
    };
    mode(0o500);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    client.succeed("navigate", navigate(tab));
    assert_eq!(browser.requests("Page.navigate").len(), 1);
    let found = doctor(&home);
    assert!(found.contains("bad   audit") && found.contains("go on without a record"), "{found}");
    assert!(found.contains("records could not be written"), "{found}");
    mode(0o700);
    assert!(said("refuse").contains("refused"));
    mode(0o500);
    let text = client.refused("navigate", navigate(tab));
    assert!(text.contains("audit record"), "{text}");
    assert_eq!(browser.requests("Page.navigate").len(), 1);
    mode(0o700);
    client.succeed("navigate", navigate(tab));
}

#[test]
fn a_directory_that_became_read_only_is_named_by_doctor() {
    if !ghostlight_tests::user::available("a read-only directory") {
        return;
    }
    let home = Home::of_a_user();
    let _browser = FakeBrowser::start(&home);
    let mode = |mode| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(home.state(), mode).expect("root may");
    };
    mode(0o500);
    let mut client = Client::connected(&home);
    let reply = client.call("tabs_create_mcp", json!({}));
    assert!(!reply.is_success(), "{reply:?}");
    let said = doctor(&home);
    assert!(said.contains("bad   audit") && said.contains("make it writable"), "{said}");
    mode(0o700);
    client.open_tab();
    assert!(!doctor(&home).contains("bad   audit"), "{}", doctor(&home));
}
