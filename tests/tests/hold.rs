//! The person's word against calls that are on their way: nothing leaves once it has been heard.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::client::Client;
use ghostlight_tests::demo::chance::Chance;
use ghostlight_tests::fake_browser::{FakeBrowser, World};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::send;
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::time::Duration;

const TABS: usize = 4;
const CALLS: usize = 24;

fn rounds() -> usize {
    if std::env::var_os("FULL").is_some_and(|full| full == "1") { 500 } else { 40 }
}

/// Effects that the service sent after it had taken in that event.
fn late(browser: &FakeBrowser, event: u64, may_look: bool) -> Vec<Value> {
    let world = browser.world();
    let sent = world.requests.iter().filter(|request| {
        let lets_go = request["m"] == "workspace.release" || request["m"] == "tab.release";
        request["heard"].as_u64() >= Some(event) && !lets_go
    });
    sent.filter(|request| !may_look || request["effect"] == true).cloned().collect()
}

fn heard(browser: &FakeBrowser, event: u64) {
    until("the person's word being heard", LONG, || (browser.world().heard >= event).then_some(()));
}

fn press(tab: i64) -> Value {
    json!({"tabId": tab, "action": "key", "text": "Tab"})
}

#[test]
fn no_frame_leaves_after_the_hold_was_heard() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let mut tabs: Vec<i64> = (0..TABS).map(|_| client.open_tab()).collect();
    let (mut chance, mut held) = (Chance::new(9), 0);
    for round in 0..rounds() {
        let (word, latch, back) =
            [("pause", "paused", "resume"), ("stop", "stopped", "restart")][round % 2];
        let ids: Vec<_> =
            (0..CALLS).map(|at| client.ask_tool("computer", press(tabs[at % TABS]))).collect();
        std::thread::sleep(Duration::from_micros(chance.below(20_000) as u64));
        let event = browser.person(word, latch);
        heard(&browser, event);
        for id in ids {
            let answer = client.answer(id);
            let done = answer["result"]["isError"] != true;
            held += usize::from(!done);
            let words = answer.to_string();
            assert!(done || words.contains("person") || words.contains("no such tab"), "{words}");
        }
        let refused = client.call("computer", press(tabs[0]));
        assert!(!refused.is_success(), "round {round}: {refused:?}");
        assert_eq!(late(&browser, event, word == "pause"), Vec::<Value>::new(), "round {round}");
        heard(&browser, browser.person(back, "running"));
        if word == "stop" {
            // As the extension does: a stop lets every tab go.
            let gone: Vec<i64> = browser.world().tabs.keys().copied().collect();
            gone.into_iter().for_each(|native| browser.close_tab(native));
            tabs = (0..TABS).map(|_| client.open_tab()).collect();
        }
        client.succeed("computer", press(tabs[0]));
    }
    assert!(held > 0, "no hold came while calls were waiting");
}

#[test]
fn a_hold_outlives_the_service() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    client.open_tab();
    for (word, latch, says, back) in
        [("pause", "paused", "paused", "resume"), ("stop", "stopped", "stopped", "restart")]
    {
        browser.person(word, latch);
        for pid in home.running(SERVICE) {
            send(pid, Signal::KILL);
        }
        browser.await_welcome();
        let before = browser.requests("tab.open").len();
        let text = until("an answer of the next service", LONG, || {
            let reply = client.call("tabs_create_mcp", json!({}));
            reply.is_refusal().then_some(reply.text)
        });
        assert!(text.contains(says), "{text}");
        assert_eq!(browser.requests("tab.open").len(), before);
        browser.person(back, "running");
        until("a tab after the hold", LONG, || {
            client.call("tabs_create_mcp", json!({})).is_success().then_some(())
        });
    }
}

#[test]
fn a_browser_that_comes_held_is_asked_for_nothing() {
    let home = Home::new();
    let browser = FakeBrowser::launch(&home, World::latched("stopped"));
    browser.await_welcome();
    let text = Client::connected(&home).refused("tabs_create_mcp", json!({}));
    assert!(text.contains("stopped"), "{text}");
    assert!(browser.world().requests.is_empty());
}
