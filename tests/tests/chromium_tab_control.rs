//! `tab_control` in real Chromium: in front, again, back and forth, closed; judged by a second CDP client.

use ghostlight_tests::client::Client;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::time::{Duration, Instant};

const DRAFT: &str = "<title>Draft</title><button onclick='this.textContent=\"touched\"'>Touch</button>\
     <script>addEventListener('beforeunload', e => { e.preventDefault(); })</script>";

#[test]
fn a_tab_is_loaded_again_and_moved_through_its_history() {
    let mut stage = Stage::on(
        "<title>One</title><script>window.born = Math.random();
         addEventListener('pageshow', e => { window.restored = e.persisted })</script>",
    );
    stage.site.page("/two", "<title>Two</title>");
    let asked = |stage: &Stage| stage.site.received().iter().filter(|r| r.path == "/").count();
    let before = (stage.evaluate("born"), asked(&stage));
    let reply = stage.succeed("tab_control", json!({"action": "reload"}));
    assert_eq!(
        (&reply.structured["state"], &reply.structured["title"]),
        (&json!("ready"), &json!("One"))
    );
    assert_ne!(stage.evaluate("born"), before.0);
    assert_eq!(asked(&stage), before.1 + 1);
    for action in ["back", "forward"] {
        // The tab began on an empty page, so `back` is there once.
        if action == "forward" {
            let text = stage.refused("tab_control", json!({"action": action}));
            assert!(
                text.contains("nothing to go forward to") && text.contains("Retry: does not help"),
                "{text}"
            );
        }
    }
    let born = stage.evaluate("born");
    stage.go("/two");
    let reply = stage.succeed("tab_control", json!({"action": "back"}));
    assert_eq!(
        (&reply.structured["title"], &reply.structured["state"]),
        (&json!("One"), &json!("ready"))
    );
    // The browser kept the document: the same one came back, and it can be read.
    assert_eq!((stage.evaluate("restored"), stage.evaluate("born")), (json!(true), born));
    stage.succeed("read_page", json!({}));
    assert_eq!(
        stage.succeed("tab_control", json!({"action": "forward"})).structured["title"],
        "Two"
    );
}

#[test]
fn a_tab_in_front_is_in_front_and_the_others_are_behind() {
    let mut stage = Stage::on("<title>One</title>");
    stage.site.page("/mine", "<title>Mine</title>");
    let mine = stage.site.url("/mine");
    stage.chromium.judge.open(&mine);
    assert_eq!(stage.chromium.judge.evaluate(&mine, "document.visibilityState"), "visible");
    let reply = stage.succeed("tab_control", json!({"action": "focus"}));
    assert_eq!(reply.structured["state"], "focused");
    until("the person's tab being behind", LONG, || {
        let state = stage.chromium.judge.evaluate(&mine, "document.visibilityState");
        (state == "hidden").then_some(())
    });
    stage.refused("tab_control", json!({"action": "focus", "unload": "accept"}));
}

#[test]
fn a_page_that_asks_is_closed_only_when_told_to() {
    let mut stage = Stage::on(DRAFT);
    let url = stage.site.url("/");
    stage.click("Touch");
    for action in ["close", "reload"] {
        let started = Instant::now();
        let text = stage.refused("tab_control", json!({"action": action}));
        assert!(text.contains("stayed") && text.contains("unload: accept"), "{text}");
        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert_eq!(stage.evaluate("document.querySelector('button').textContent"), "touched");
    }
    stage.succeed("tab_control", json!({"action": "reload", "unload": "accept"}));
    assert_eq!(stage.evaluate("document.querySelector('button').textContent"), "Touch");
    stage.click("Touch");
    let reply = stage.succeed("tab_control", json!({"action": "close", "unload": "accept"}));
    assert!(reply.text.contains("asked whether to leave; the answer was yes"), "{}", reply.text);
    assert_eq!(reply.structured["state"], "closed");
    assert!(stage.chromium.judge.page(&url).is_none());
    let text = stage.refused("tab_control", json!({"action": "close"}));
    assert!(text.contains("tab"), "{text}");
}

#[test]
fn another_workspaces_tab_is_out_of_reach_and_stays_open() {
    let mut stage = Stage::on("<title>One</title>");
    let url = stage.site.url("/");
    let mut stranger = Client::connected(&stage.home);
    let own = stranger.open_page(&stage.site.other_site_url("/"));
    for action in ["focus", "reload", "close", "back"] {
        stranger.refused("tab_control", json!({"action": action, "tabId": stage.tab}));
    }
    assert!(stage.chromium.judge.page(&url).is_some());
    let closed = stranger.succeed("tab_control", json!({"action": "close", "tabId": own}));
    assert!(closed.text.contains("no tabs left"), "{}", closed.text);
    assert_eq!(closed.structured["tabsLeft"], 0);
    assert_eq!(stranger.succeed("tabs_context_mcp", json!({})).structured["tabs"], json!([]));
    stage.succeed("get_page_text", json!({}));
}

#[test]
fn the_browsers_last_tab_is_closed_and_the_browser_lives() {
    let mut stage = Stage::of(Site::of("<title>Last</title>"));
    let url = stage.site.url("/");
    let others = stage.chromium.judge.targets();
    for other in others.iter().filter(|t| t["type"] == "page" && t["url"] != json!(url)) {
        stage.chromium.judge.close_target(other["targetId"].as_str().unwrap_or_default());
    }
    until("the other tabs being closed", LONG, || {
        let targets = stage.chromium.judge.targets();
        (targets.iter().filter(|t| t["type"] == "page").count() == 1).then_some(())
    });
    let reply = stage.succeed("tab_control", json!({"action": "close"}));
    assert!(reply.text.contains("last tab"), "{}", reply.text);
    assert!(stage.chromium.judge.page(&url).is_none());
    let tab = stage.client.open_page(&url);
    stage.client.succeed("get_page_text", json!({"tabId": tab}));
}
