//! Input that is wrong is refused in words, and nothing of it reaches a page.

use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::FakeBrowser;
use ghostlight_tests::home::Home;
use ghostlight_tests::status::connected_browsers;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Every refusal says what was wrong, whether to try again, and what to do next.
fn assert_helps(text: &str, about: &Value) {
    let lower = text.to_lowercase();
    let advises = ["retry", "try again", "next step", "nothing was sent"];
    assert!(advises.iter().any(|words| lower.contains(words)), "{about}: {text}");
    assert!(text.len() > 30, "{about}: {text}");
}

#[test]
fn an_unknown_tool_is_invalid_params() {
    let home = Home::new();
    for revision in [Revision::November2025, Revision::July2026] {
        let mut client = Client::start(&home, revision);
        if revision == Revision::November2025 {
            client.initialize();
        }
        for name in ["no_such_tool", "", "TABS_CREATE_MCP", "explain "] {
            assert_eq!(client.call(name, json!({})).code(), -32602, "{revision:?} {name:?}");
        }
    }
}

#[test]
fn arguments_outside_the_schema_are_refused_at_every_depth() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    let before = browser.world().requests.len();
    let cases = [
        ("navigate", json!({"tabId": tab})),
        ("navigate", json!({"tabId": tab, "url": 7})),
        ("navigate", json!({"tabId": tab, "url": "http://a.test/", "extra": 1})),
        ("navigate", json!({"tabId": tab, "url": "http://a.test/", "force": "yes"})),
        ("computer", json!({"tabId": tab})),
        ("computer", json!({"tabId": tab, "action": "dance"})),
        ("computer", json!({"tabId": tab, "action": "left_click", "coordinate": [1]})),
        ("computer", json!({"tabId": tab, "action": "left_click", "coordinate": [1, 2, 3]})),
        ("computer", json!({"tabId": tab, "action": "left_click", "coordinate": [1, "2"]})),
        ("computer", json!({"tabId": tab, "action": "left_click", "coordinate": {"x": 1}})),
        ("computer", json!({"tabId": tab, "action": "key", "text": "a", "repeat": 1000})),
        ("computer", json!({"tabId": tab, "action": "scroll", "scroll_direction": "north"})),
        ("find", json!({"tabId": tab})),
        ("find", json!({"tabId": tab, "query": null})),
        ("form_input", json!({"tabId": tab, "ref": "ref_1"})),
        ("form_input", json!({"tabId": tab, "ref": "ref_1", "value": [1]})),
        ("read_page", json!({"tabId": tab, "filter": "some"})),
        ("get_page_text", json!({"tabId": tab, "max_chars": "many"})),
        ("tabs_context_mcp", json!({"createIfEmpty": 1})),
        ("tabs_create_mcp", json!({"url": "http://a.test/"})),
        ("explain", json!({"why": true})),
    ];
    for (tool, arguments) in cases {
        let text = client.refused(tool, arguments.clone());
        assert_helps(&text, &arguments);
    }
    let after = browser.world().requests[before..].to_vec();
    assert!(after.is_empty(), "{after:?}");
}

#[test]
fn a_tab_id_that_is_not_the_workspaces_own_is_refused() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let mut stranger = Client::connected(&home);
    let own = client.open_tab();
    let foreign = stranger.open_tab();
    let before = browser.world().requests.len();
    let cases = [
        json!(foreign),
        json!(12345),
        json!(own + 1000),
        json!(own as f64 + 0.5),
        json!(0),
        json!(-own),
        json!(-1),
        json!(u64::MAX),
        json!(1e300),
        json!(own.to_string()),
        json!(null),
        json!([own]),
    ];
    for id in cases {
        for (tool, mut arguments) in [
            ("navigate", json!({"url": "http://example.test/"})),
            ("computer", json!({"action": "screenshot"})),
            ("get_page_text", json!({})),
        ] {
            arguments["tabId"] = id.clone();
            let text = client.refused(tool, arguments.clone());
            assert_helps(&text, &arguments);
        }
    }
    let after = browser.world().requests[before..].to_vec();
    assert!(after.is_empty(), "{after:?}");
}

#[test]
fn a_foreign_tab_and_one_that_never_was_get_the_same_words() {
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let mut stranger = Client::connected(&home);
    client.open_tab();
    let foreign = stranger.open_tab();
    let nobody = foreign + 500;
    let mut text = |tab: i64| {
        let refused = client.refused("get_page_text", json!({"tabId": tab}));
        refused.replace(&tab.to_string(), "ID")
    };
    assert_eq!(text(foreign), text(nobody));
}

#[test]
fn an_unsupported_address_is_refused_before_the_browser_sees_it() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    let cases = [
        "javascript:alert(1)",
        "chrome://settings",
        "chrome-extension://abcdefghijklmnopabcdefghijklmnop/popup.html",
        "view-source:http://a.test/",
        "data:text/html,hello",
        "ftp://a.test/",
        "http://",
        "",
        " ",
    ];
    for url in cases {
        let arguments = json!({"tabId": tab, "url": url});
        let text = client.refused("navigate", arguments.clone());
        assert_helps(&text, &arguments);
    }
    assert!(browser.requests("Page.navigate").is_empty());
}

#[test]
fn without_any_browser_the_fix_is_told_at_once() {
    let home = Home::new();
    let mut client = Client::connected(&home);
    client.succeed("explain", json!({}));
    let started = Instant::now();
    let text = client.refused("tabs_create_mcp", json!({}));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert!(text.contains("extension") || text.contains("ghostlight browser"), "{text}");
    assert_helps(&text, &json!("no browser"));
}

#[test]
fn a_tab_that_was_closed_is_refused() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_tab();
    let native = *browser.world().tabs.keys().next().expect("the tab is there");
    browser.close_tab(native);
    until("the service to know", LONG, || {
        (connected_browsers(&home).first()?["tabs"] == 0).then_some(())
    });
    let arguments = json!({"tabId": tab, "url": "http://example.test/"});
    let text = client.refused("navigate", arguments.clone());
    assert_helps(&text, &arguments);
    assert!(browser.requests("Page.navigate").is_empty());
}
