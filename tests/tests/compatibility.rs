//! `compatibility.json` is kept: the oldest extension that it covers is welcome, others are told why not.

use ghostlight_tests::binaries::CONNECTOR;
use ghostlight_tests::home::Home;
use ghostlight_tests::native;
use ghostlight_tests::process::Process;
use ghostlight_tests::profile::extension_origin;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Stdio;

fn file(name: &str) -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ has a parent");
    let text = std::fs::read_to_string(root.join(name)).expect("a file of the repository");
    serde_json::from_str(&text).expect("JSON")
}

/// The service's answer to this hello, through a real connector.
fn answer(hello: &Value) -> Value {
    let home = Home::new();
    let mut command = home.command(home.program(CONNECTOR));
    command.arg(extension_origin()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut connector = Process::start(&mut command);
    let mut to = connector.take_stdin();
    let mut from = connector.take_stdout();
    loop {
        let frame = native::read(&mut from).expect("a frame").expect("the connector lives");
        let message: Value = serde_json::from_slice(&frame).expect("JSON");
        match message["t"].as_str() {
            Some("greet") => native::write_value(&mut to, hello).expect("the connector reads"),
            Some("welcome" | "refuse") => return message,
            other => panic!("before the welcome: {other:?}"),
        }
    }
}

#[test]
fn extension_and_programs_carry_one_version() {
    let manifest = file("extension/manifest.json");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn the_oldest_extension_that_is_covered_is_welcome() {
    let range = file("compatibility.json")["extension"]["protocol"].clone();
    let (min, max) = (range["min"].as_u64().expect("min"), range["max"].as_u64().expect("max"));
    for protocol in min..=max {
        let welcome = answer(&file(&format!("tests/hellos/protocol-{protocol}.json")));
        assert_eq!((&welcome["t"], &welcome["proto"]), (&json!("welcome"), &json!(protocol)));
    }
}

#[test]
fn an_extension_of_another_age_is_refused_with_the_cure() {
    let newest = file("compatibility.json")["extension"]["protocol"]["max"].as_u64().expect("max");
    for (min, max) in [(0, 0), (newest + 1, newest + 3)] {
        let mut hello = file("tests/hellos/protocol-1.json");
        hello["proto"] = json!({"min": min, "max": max});
        let refusal = answer(&hello);
        assert_eq!(refusal["t"], "refuse", "{refusal}");
        let message = refusal["message"].as_str().expect("words");
        assert!(message.contains("update"), "{message}");
    }
}
