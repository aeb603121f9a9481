//! Many at once through real processes: what travels with one request stays with it, and nobody's large answers hold up another.

use ghostlight_tests::bench::pipe::Pipe;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::{FakeBrowser, Twist, picture};
use ghostlight_tests::home::Home;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::read_to_string;
use std::sync::Barrier;
use std::time::{Duration, Instant};

const CLIENTS: usize = 3;
/// As many as one client may have workspaces.
const TABS: usize = 8;

/// Opens a tab in a workspace of its own; every third carries a restriction, which is refused.
fn create(id: usize, name: &str) -> String {
    let mut meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"},
        "progressToken": format!("token of {name}"),
    });
    if id % 3 == 2 {
        meta["org.ghostlight/restriction"] = json!({"only": name});
    }
    let params = json!({"name": "tabs_create_mcp", "arguments": {}, "_meta": meta});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

#[test]
fn what_one_request_says_of_its_client_is_never_taken_for_anothers() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let barrier = Barrier::new(CLIENTS);
    let opened: BTreeMap<i64, String> = std::thread::scope(|scope| {
        let drive = |number: usize| {
            let (mut client, barrier) = (Client::stateless(&home), &barrier);
            move || {
                let names: Vec<_> = (0..TABS * 3 / 2).map(|at| format!("c{number}-{at}")).collect();
                let lines: Vec<_> =
                    names.iter().enumerate().map(|(id, name)| create(id, name)).collect();
                barrier.wait();
                client.send_text(&lines.join("\n"));
                let mut tabs = Vec::new();
                for (id, name) in names.iter().enumerate() {
                    let own = |message: &Value| message["id"] == id;
                    let answer = client.take_within(LONG, own).expect("each is answered");
                    let result = &answer["result"];
                    assert_eq!(result["isError"] == true, id % 3 == 2, "{name}: {answer}");
                    if let Some(tab) = result["structuredContent"]["tabId"].as_i64() {
                        tabs.push((tab & 0xffff_ffff, name.clone()));
                    }
                }
                assert_eq!(tabs.len(), TABS, "what carries no restriction is not restricted");
                tabs
            }
        };
        let clients: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(drive(number))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("no client fails")).collect()
    });
    assert_eq!(opened.len(), CLIENTS * TABS);
    let asked = browser.requests("tab.open");
    for (native, name) in &opened {
        let key = browser.world().tabs[native].key.clone();
        let request = asked.iter().find(|request| request["key"] == key.as_str());
        let title = &request.expect("the tab was asked for")["p"]["group"]["title"];
        assert_eq!(*title, format!("{name} (Ghostlight)"), "the group of {name}'s tab");
    }
    let names: Vec<_> = opened.values().collect();
    until("the last record", LONG, || {
        let text = read_to_string(home.state().join("audit.jsonl")).unwrap_or_default();
        let told = |name: &str| text.matches(&format!("\"client\":\"{name}\"")).count();
        names.iter().all(|name| told(name) == 2).then_some(())
    });
}

#[test]
fn large_answers_that_nobody_reads_yet_hold_up_no_other_client() {
    const LARGE: usize = 1_000_000;
    const SHOTS: usize = 20;
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut other = Client::connected(&home);
    let mut slow = Pipe::connected(&home, Revision::November2025);
    let (_, created) = slow.round_trip(&slow.tool("tabs_create_mcp", json!({})));
    let created: Value = serde_json::from_str(&created).expect("an answer is JSON");
    let tab = created["result"]["structuredContent"]["tabId"].as_i64().expect("a tab");
    let fake = browser.world().tabs[&(tab & 0xffff_ffff)].clone();
    browser.always("capture", Twist::Answer(picture(&fake, LARGE)));
    for id in 0..SHOTS {
        let params =
            json!({"name": "computer", "arguments": {"tabId": tab, "action": "screenshot"}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        slow.write(&call.to_string());
    }
    browser.await_request("capture");
    let mut slowest = Duration::ZERO;
    let working = Instant::now();
    while working.elapsed() < Duration::from_secs(3) {
        let begun = Instant::now();
        other.succeed("explain", json!({}));
        slowest = slowest.max(begun.elapsed());
    }
    assert!(slowest < Duration::from_secs(1), "a call beside it took {slowest:?}");
    let mut ids: Vec<_> = (0..SHOTS)
        .map(|_| {
            let line = slow.read();
            let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
            assert!(line.len() > LARGE, "{answer}");
            answer["id"].as_u64().expect("an answer has our id")
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..SHOTS as u64).collect::<Vec<_>>(), "each once");
    slow.write(r#"{"jsonrpc":"2.0","id":"after","method":"ping"}"#);
    assert!(slow.read().contains("\"after\""));
}
