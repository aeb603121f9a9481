//! Marker handles driven through every tool: nothing but their owner's result shows a part of one.

use crate::ground::serve_as;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::status::status;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Map, Value, json};
use std::fs::{read_dir, read_to_string};

/// Digits that no honest text has by chance, for a handle that names nothing.
const UNKNOWN: &str = "f00dfacecafe0123deadbeef8badf00d";
/// Of the wrong length: never a handle, but somebody's secret all the same.
const MALFORMED: &str = "badc0ffee0ddf00dfeedfacec0de";
/// So many digits in a row are a part of a handle and no chance.
const PART: usize = 8;

fn shows(text: &str, digits: &str) -> bool {
    (0..=digits.len() - PART).any(|at| text.contains(&digits[at..at + PART]))
}

/// A value that fits a property's schema, as far as its name tells.
fn sample(name: &str, schema: &Value, tab: i64) -> Value {
    if let Some(first) = schema["enum"].get(0) {
        return first.clone();
    }
    match (name, schema["type"].as_str()) {
        ("tabId", _) => json!(tab),
        ("url", _) => json!("http://127.0.0.1/page"),
        ("ref", _) => json!("ref_1"),
        ("imageId", _) => json!(format!("img_{UNKNOWN}")),
        ("coordinate" | "start_coordinate", _) => json!([20, 20]),
        ("region", _) => json!([0, 0, 40, 40]),
        (_, Some("string")) => json!("x"),
        (_, Some("integer" | "number")) => json!(1),
        (_, Some("boolean")) => json!(true),
        (_, Some("array")) => json!([sample("", &schema["items"], tab)]),
        _ => json!({}),
    }
}

/// The least and the most that a tool takes, once for each of its actions.
fn calls(tool: &Value, tab: i64) -> Vec<Map<String, Value>> {
    let schema = &tool["inputSchema"];
    let Some(properties) = schema["properties"].as_object() else { return vec![Map::new()] };
    let filled = |all: bool| {
        let required = |name: &str| {
            schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name))
        };
        let chosen = properties.iter().filter(|(name, _)| all || required(name));
        let chosen = chosen.filter(|(name, _)| *name != "workspaceId");
        chosen
            .map(|(name, schema)| (name.clone(), sample(name, schema, tab)))
            .collect::<Map<_, _>>()
    };
    let mut calls = vec![filled(false), filled(true)];
    for action in properties.get("action").and_then(|a| a["enum"].as_array()).into_iter().flatten()
    {
        let mut call = filled(true);
        call.insert("action".into(), action.clone());
        calls.push(call);
    }
    calls
}

/// What was written down or sent on: logs, audit, the browser's side.
fn kept(home: &Home, browser: &FakeBrowser) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for folder in [home.path().to_owned(), home.state()] {
        for entry in read_dir(folder).unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with("stderr") || name.ends_with("log") || name.starts_with("audit") {
                texts.push((name, read_to_string(entry.path()).unwrap()));
            }
        }
    }
    let world = browser.world();
    texts.push(("what the browser got".into(), format!("{:?}", *world)));
    texts
}

fn drive(revision: Revision) {
    let home = Home::new();
    let (_service, _) = serve_as(&home, &["service", "--lower", "tool=1500,queue=1500"]);
    let browser = FakeBrowser::start(&home);
    let mut client = Client::with_workspace(&home, revision);
    let own = client.workspace.take();
    let in_own = |mut call: Map<String, Value>| {
        if let Some(own) = &own {
            call.insert("workspaceId".into(), json!(own));
        }
        Value::Object(call)
    };
    let tab = client.succeed("tabs_create_mcp", in_own(Map::new())).tab_id();
    let tools = client.request("tools/list", json!({}))["result"]["tools"].take();
    let tools = tools.as_array().unwrap();
    assert!(tools.len() >= 9, "{}", tools.len());
    for tool in tools {
        let name = tool["name"].as_str().unwrap();
        let creates = tool["outputSchema"]["properties"].get("workspaceId").is_some();
        for call in calls(tool, tab) {
            for marker in [UNKNOWN, MALFORMED] {
                let mut marked = call.clone();
                marked.insert("workspaceId".into(), json!(format!("ws_{marker}")));
                client.call(name, Value::Object(marked));
            }
            let told = client.call(name, in_own(call));
            let digits = own.as_deref().map(|own| &own["ws_".len()..]);
            let text = format!("{} {:?} {}", told.text, told.error, told.structured);
            let leaks = digits.is_some_and(|digits| shows(&text, digits));
            assert!(!leaks || (creates && told.is_success()), "{name} shows its workspace: {text}");
            assert!(own.is_some() || !text.contains("ws_"), "{name}: {text}");
        }
    }
    let from_us = client.transcript.iter().filter(|line| !line.from_client);
    let mut texts: Vec<_> =
        from_us.map(|line| ("a result".to_owned(), line.text.clone())).collect();
    for (_, text) in &mut texts {
        // The owner's own, which was judged call by call.
        if let Some(own) = &own {
            *text = text.replace(own.as_str(), "");
        }
    }
    texts.extend(kept(&home, &browser));
    no_text_shows_a_handle(texts, own.as_deref());
}

/// `texts` is everything that was kept or sent; what the owner itself was given is no longer in it.
fn no_text_shows_a_handle(texts: Vec<(String, String)>, own: Option<&str>) {
    for (what, word) in
        [("audit", "tabs_create_mcp"), ("service.log", "serving"), ("what", "navigate")]
    {
        let there = texts.iter().any(|(name, text)| name.starts_with(what) && text.contains(word));
        assert!(there, "{what} was looked at and says {word}");
    }
    let secrets = [UNKNOWN, MALFORMED].into_iter().chain(own.map(|own| &own[3..]));
    for digits in secrets {
        for (what, text) in &texts {
            assert!(!shows(text, digits), "{what} shows a part of {digits}:\n{text}");
        }
    }
    for (what, text) in texts {
        let hexadecimal = |rest: &str| rest.bytes().take(PART).all(|b| b.is_ascii_hexdigit());
        let part = text.split("ws_").skip(1).find(|rest| rest.len() >= PART && hexadecimal(rest));
        assert_eq!(part, None, "{what} shows a workspace");
    }
}

#[test]
fn no_tool_of_2026_leaks_a_part_of_a_handle_into_logs_audit_browser_or_errors() {
    drive(Revision::July2026);
}

#[test]
fn no_tool_of_2025_leaks_a_part_of_a_handle_into_logs_audit_browser_or_errors() {
    drive(Revision::November2025);
}

#[test]
fn unknown_expired_released_and_misspelt_workspaces_get_one_answer() {
    let home = Home::new();
    let (_service, _) = serve_as(&home, &["service", "--lower", "workspace_idle=100"]);
    let _browser = FakeBrowser::start(&home);
    let mut client = Client::with_workspace(&home, Revision::July2026);
    let expired = client.workspace.take().unwrap();
    let ask = |client: &mut Client, workspace: &str| {
        let told = client.call("tabs_context_mcp", json!({"workspaceId": workspace}));
        (told.text, told.structured, told.is_error)
    };
    let unknown = ask(&mut client, &format!("ws_{UNKNOWN}"));
    assert!(unknown.2 && unknown.0.contains("tabs_create_mcp"), "{unknown:?}");
    // Asking for it would be a use, and keep it.
    until("the end of an unused workspace", LONG, || {
        (status(&home)?["workspaces"] == 0).then_some(())
    });
    assert_eq!(ask(&mut client, &expired), unknown);
    for other in [format!("ws_{MALFORMED}"), "ws_".into(), format!("img_{UNKNOWN}"), "é".into()] {
        assert_eq!(ask(&mut client, &other), unknown, "{other}");
    }
}
