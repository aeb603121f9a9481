//! Beginnings and ends: cold starts, ends of input, signals, deaths between two calls.

use ghostlight_tests::bench::pipe::Pipe;
use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::{FakeBrowser, Twist, World};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::{Process, send};
use ghostlight_tests::status::{connected_browsers, ghostlight, service_pid};
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::json;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);

/// Kills the service and waits until nothing of it is left.
fn kill_service(home: &Home) {
    home.running(SERVICE).into_iter().for_each(|pid| send(pid, Signal::KILL));
    until("the end of the service", LONG, || home.running(SERVICE).is_empty().then_some(()));
}

#[test]
fn the_end_of_input_ends_the_edge_within_a_second() {
    let home = Home::new();
    let mut client = Client::connected(&home);
    client.request("tools/list", json!({}));
    client.close();
    let status = client.process.ended_within(SECOND).expect("the edge has ended");
    assert!(status.success(), "{status}");
}

#[test]
fn requests_read_before_the_end_of_input_are_answered() {
    let home = Home::new();
    let mut client = Client::start(&home, Revision::November2025);
    let started = Instant::now();
    client.ask(
        "initialize",
        json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "pipe", "version": "1"}}),
    );
    client.ask("tools/list", json!({}));
    client.ask_tool("explain", json!({}));
    client.close();
    let ids: Vec<_> = client.rest().iter().map(|answer| answer["id"].clone()).collect();
    for id in 1..=3 {
        assert!(ids.contains(&json!(id)), "{id} in {ids:?} after {:?}", started.elapsed());
    }
}

#[test]
fn a_signal_ends_the_edge_within_a_second() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let home = Home::new();
        let mut client = Client::connected(&home);
        client.process.signal(signal);
        let ended = client.process.ended_within(SECOND);
        assert!(ended.is_some(), "{signal:?}");
    }
}

#[test]
fn many_clients_at_once_start_one_service() {
    let home = Home::new();
    let mut clients: Vec<_> = (0..10).map(|_| Client::start(&home, Revision::July2026)).collect();
    let asked: Vec<_> = clients.iter_mut().map(|c| c.ask("tools/list", json!({}))).collect();
    for (client, id) in clients.iter_mut().zip(asked) {
        assert!(client.answer(id)["result"]["tools"].is_array());
    }
    assert_eq!(home.running(SERVICE).len(), 1);
}

#[test]
fn a_stopped_service_holds_up_no_ping() {
    let home = Home::new();
    let mut client = Client::connected(&home);
    client.request("tools/list", json!({}));
    let service = service_pid(&home).expect("the service answers");
    send(service, Signal::STOP);
    let call = client.ask_tool("explain", json!({}));
    let started = Instant::now();
    assert!(client.request("ping", json!({}))["result"].is_object());
    assert!(started.elapsed() < SECOND);
    let mut late = Client::start(&home, Revision::November2025);
    assert_eq!(late.initialize()["protocolVersion"], "2025-11-25");
    send(service, Signal::CONT);
    assert!(client.answer(call)["result"].is_object());
}

#[test]
fn a_killed_service_is_replaced_and_says_what_is_lost() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    kill_service(&home);
    let words = client.call("navigate", json!({"tabId": tab, "url": "http://example.test/"}));
    assert!(!words.is_success() || !browser.requests("Page.navigate").is_empty(), "{words:?}");
    // Sent before the edge saw the end, its outcome is unknown; sent after it, the tab is.
    let lost = words.code() == -33003;
    assert!(words.is_success() || lost || words.words().contains("tab"), "{words:?}");
    browser.await_welcome();
    client.open_tab();
}

#[test]
fn a_killed_connector_is_missed_and_its_successor_taken() {
    let home = Home::new();
    let mut browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    client.open_tab();
    browser.connector.kill();
    until("the service missing its browser", LONG, || {
        connected_browsers(&home).is_empty().then_some(())
    });
    let _next = FakeBrowser::start(&home);
    client.open_tab();
}

#[test]
fn a_call_waits_for_a_browser_that_is_away_for_a_moment() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    client.open_tab();
    drop(browser);
    until("the service missing its browser", LONG, || {
        connected_browsers(&home).is_empty().then_some(())
    });
    let asked = client.ask_tool("tabs_create_mcp", json!({}));
    let _back = FakeBrowser::launch(&home, World::default());
    let answer = client.answer(asked);
    assert_ne!(answer["result"]["isError"], true, "{answer}");
}

#[test]
fn a_killed_edge_takes_nobody_with_it() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut doomed = Client::connected(&home);
    let mut other = Client::connected(&home);
    doomed.open_tab();
    let tab = other.open_tab();
    doomed.process.kill();
    other.succeed("navigate", json!({"tabId": tab, "url": "http://example.test/"}));
    let mut next = Client::connected(&home);
    next.open_tab();
}

#[test]
fn the_connector_ends_with_its_browser() {
    let home = Home::new();
    let mut browser = FakeBrowser::start(&home);
    browser.close();
    let ended = browser.connector.ended_within(SECOND);
    assert!(ended.is_some());
    assert!(home.running(CONNECTOR).is_empty());
}

#[test]
fn a_cancelled_call_is_never_answered_and_holds_up_no_other() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    browser.next("Page.navigate", Twist::Hold);
    let url = json!({"tabId": tab, "url": "http://example.test/"});
    let cancelled = client.ask_tool("navigate", url.clone());
    browser.await_request("Page.navigate");
    client.cancel(cancelled);
    until("the browser being told", LONG, || (!browser.world().cancelled.is_empty()).then_some(()));
    browser.release();
    client.succeed("navigate", url);
    let answered = client.take_within(SECOND / 4, |message| message["id"] == cancelled);
    assert_eq!(answered, None);
}

#[test]
fn stop_ends_the_service_and_the_next_call_starts_another() {
    let home = Home::new();
    let mut client = Client::connected(&home);
    client.succeed("explain", json!({}));
    let stopped = ghostlight(&home, &["stop"]);
    assert!(stopped.status.success(), "{stopped:?}");
    until("the end of the service", LONG, || home.running(SERVICE).is_empty().then_some(()));
    client.succeed("explain", json!({}));
}

#[test]
fn the_edge_ends_when_whoever_started_it_dies() {
    let home = Home::new();
    // The shell is the parent, and the pipe to the edge outlives it.
    let mut command = home.command("/bin/sh");
    let script = "exec 3<&0; \"$1\" <&3 & wait";
    command
        .args(["-c", script, "sh"])
        .arg(home.program(EDGE))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut parent = Process::start(&mut command);
    let _open = parent.take_stdin();
    until("the edge", LONG, || (!home.running(EDGE).is_empty()).then_some(()));
    parent.kill();
    until("the end of the edge", SECOND, || home.running(EDGE).is_empty().then_some(()));
}

#[test]
fn a_burst_that_nobody_reads_until_its_end_is_answered_whole() {
    const CALLS: usize = 1000;
    let home = Home::new();
    let mut pipe = Pipe::connected(&home, Revision::November2025);
    for id in 0..CALLS {
        let params = json!({"name": "explain", "arguments": {}});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        pipe.write(&call.to_string());
    }
    let answered = (0..CALLS).filter(|_| pipe.read().contains(r#""content":"#)).count();
    assert_eq!(answered, CALLS);
}
