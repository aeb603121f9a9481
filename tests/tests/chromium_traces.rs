//! What the product leaves in a page and in the browser: nothing that the page can see, and a group for each client.

use ghostlight_tests::client::Client;
use ghostlight_tests::site::{Response, Site};
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};

/// Counts what changes in it by a script of its own.
const WATCHED: &str = "<title>Watched</title><p id=words>Some words</p><button>Inert</button>\
    <input aria-label=Field value=kept><div style='height:3000px'></div><p>Below</p><script>\
    var changes = [], before = Object.getOwnPropertyNames(window).length;\
    addEventListener('load', () => setTimeout(() => new MutationObserver((all) => changes.push(...all.map((one) => one.type)))\
        .observe(document, {subtree: true, childList: true, attributes: true, characterData: true})));</script>";

#[test]
fn a_page_that_is_read_and_pointed_at_is_not_changed() {
    let mut stage = Stage::on(WATCHED);
    let html = stage.evaluate("document.documentElement.outerHTML");
    stage.read();
    stage.succeed("read_page", json!({"filter": "interactive"}));
    stage.succeed("get_page_text", json!({}));
    let button = stage.find("Inert").reference;
    for action in ["screenshot", "hover", "left_click", "scroll_to"] {
        let mut arguments = json!({"action": action});
        if action != "screenshot" {
            arguments["ref"] = json!(button);
        }
        let told = stage.succeed("computer", arguments).text;
        assert!(!told.contains("mutations"), "{told}");
    }
    stage.succeed("wait_for", json!({"text": "Below", "timeout_ms": 2000}));
    stage.call("read_console_messages", json!({}));
    assert_eq!(stage.evaluate("changes.join()"), "");
    assert_eq!(stage.evaluate("document.documentElement.outerHTML"), html);
    assert_eq!(stage.evaluate("Object.getOwnPropertyNames(window).length - before"), 0);
}

#[test]
fn content_is_read_whatever_it_is_named() {
    let names = ["ghostlight", "ghostlight-overlay", "ghostlight-agent", "__proto__", "toString"];
    let parts: Vec<_> = names
        .iter()
        .map(|name| format!("<button id='{name}' class='{name}' name='{name}'>Of {name}</button>"))
        .collect();
    let mut stage = Stage::on(&format!("<title>Names</title>{}", parts.concat()));
    let page = stage.read();
    let text = stage.succeed("get_page_text", json!({})).text;
    for name in names {
        let label = format!("Of {name}");
        assert!(page.elements().iter().any(|element| element.name == label), "{}", page.text);
        assert!(text.contains(&label), "{text}");
        assert_eq!(stage.find(&label).name, label);
    }
}

#[test]
fn two_clients_of_one_name_work_in_groups_of_their_own() {
    let mut stage = Stage::on("<title>One</title>");
    let mut second = Client::connected(&stage.home);
    second.open_page(&stage.site.url("/?second"));
    second.open_tab();
    let tabs = "chrome.tabs.query({}).then(all => all.filter(tab => tab.groupId > 0).map(tab => [tab.groupId, tab.url]))";
    let grouped = until("three tabs in groups", LONG, || {
        let all = stage.chromium.in_worker(tabs)?;
        (all.as_array()?.len() == 3).then_some(all)
    });
    let group = |has: &dyn Fn(&str) -> bool| -> Vec<Value> {
        let rows = grouped.as_array().into_iter().flatten();
        let fits = rows.filter(|row| has(row[1].as_str().unwrap_or_default()));
        fits.map(|row| row[0].clone()).collect()
    };
    let first = group(&|url| url.ends_with('/') && !url.contains('?'));
    let others = group(&|url| url.contains("?second") || url.starts_with("about:"));
    assert_eq!((first.len(), others.len()), (1, 2), "{grouped}");
    assert_eq!(others[0], others[1], "{grouped}");
    assert_ne!(first[0], others[0], "{grouped}");
}

#[test]
fn what_is_huge_arrives_in_part_or_is_said_not_to_be_there() {
    let site = Site::of("<title>Huge</title>");
    let sizes = [("/one", 1 << 20, true), ("/five", 5 << 20, false), ("/forty", 40 << 20, false)];
    for (path, bytes, _) in sizes {
        site.serve(path, move |_| Response::of("text/plain", vec![b'x'; bytes]));
    }
    let mut stage = Stage::of(site);
    let script = |text: &str| json!({"action": "javascript_exec", "text": text});
    for (path, bytes, kept) in sizes {
        let fetched = format!("const text = await (await fetch('{path}')).text(); return text");
        let told = stage.call("javascript_tool", script(&fetched));
        let expected =
            if path == "/forty" { "larger than what may travel".into() } else { bytes.to_string() };
        assert!(
            told.text.len() < 60_000 && told.text.contains(&expected),
            "{path}: {:.300}",
            told.text
        );
        let listed = stage.succeed("read_network_requests", json!({"urlPattern": path})).text;
        let line = listed.lines().find(|line| line.contains(path)).unwrap_or_default();
        let id = line.trim_start_matches('[').split(']').next().unwrap_or_default();
        let body = json!({"request_id": id, "body": "response", "max_chars": 1000});
        let told = stage.call("read_network_requests", body);
        let arrived = told.text.contains(&format!("{bytes} characters"));
        let refused = told.text.contains("Retry: does not help. Next step: ");
        assert_eq!((arrived, refused), (kept, !kept), "{path}: {}", told.text);
    }
    let told = stage.succeed("javascript_tool", script("6 * 7")).text;
    assert!(told.contains("42"), "{told}");
}
