//! Tabs and windows that pages open, in real Chromium: those of the agent's page are its own and told, the person's never.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::time::Duration;

/// The tab that a receipt names as opened.
fn opened(reply: &Reply) -> i64 {
    let after = reply.text.split("a tab opened: tabId ").nth(1);
    let digits =
        after.map(|text| text.chars().take_while(char::is_ascii_digit).collect::<String>());
    let id = digits.and_then(|digits| digits.parse().ok());
    id.unwrap_or_else(|| panic!("no tab opened: {reply:?}"))
}

fn tabs(stage: &mut Stage) -> Vec<Value> {
    let listed = stage.client.succeed("tabs_context_mcp", json!({}));
    listed.structured["tabs"].as_array().cloned().unwrap_or_default()
}

#[test]
fn a_page_that_closes_itself_again_leaves_its_opener_working() {
    let site = Site::of(
        "<title>Opener</title><button onclick=\"window.open('/soon')\">Soon</button>
         <button onclick=\"window.open('/now')\">Now</button>
         <button onclick=\"window.open('/now').close()\">Shut</button>",
    );
    site.page("/soon", "<title>Soon</title><script>setTimeout(() => close(), 400)</script>");
    site.page("/now", "<script>close()</script>");
    let mut stage = Stage::of(site);
    let first = stage.tab;
    for name in ["Soon", "Now", "Shut"] {
        let reply = stage.click(name);
        if name == "Soon" {
            let popup = opened(&reply);
            until("the end of the popup", LONG, || (tabs(&mut stage).len() == 1).then_some(()));
            let text = stage.client.refused("get_page_text", json!({"tabId": popup}));
            assert!(text.contains("tab"), "{text}");
        }
        until("the opener alone", LONG, || (tabs(&mut stage).len() == 1).then_some(()));
        assert_eq!(tabs(&mut stage)[0]["tabId"], first);
        assert!(stage.read().text.contains("Opener"));
    }
}

#[test]
fn a_dialog_of_a_popup_is_named_where_it_holds_the_opener_back() {
    let site =
        Site::of("<title>Opener</title><button onclick=\"window.open('/in')\">Open</button>");
    site.page("/in", "<button onclick=\"say('got', confirm('inner?'))\">Inner</button>");
    let mut stage = Stage::of(site);
    let reply = stage.click("Open");
    let opener = std::mem::replace(&mut stage.tab, opened(&reply));
    until("the popup's page", LONG, || {
        stage.call("get_page_text", json!({})).text.contains("Inner").then_some(())
    });
    let popup = stage.tab;
    assert!(stage.click("Inner").text.contains("confirm \"inner?\""));
    stage.tab = opener;
    for (tool, arguments) in [
        ("find", json!({"query": "Open"})),
        ("read_page", json!({})),
        ("computer", json!({"action": "screenshot"})),
        ("computer", json!({"action": "key", "text": "a"})),
    ] {
        let started = std::time::Instant::now();
        let text = stage.refused(tool, arguments);
        assert!(started.elapsed() < Duration::from_secs(2), "{tool}: {:?}", started.elapsed());
        assert!(text.contains(&format!("tabId {popup}")) && text.contains("inner?"), "{text}");
    }
    stage.tab = popup;
    stage.succeed("dialog", json!({"action": "accept"}));
    assert_eq!(stage.site.await_said("got"), true);
    stage.succeed("find", json!({"query": "Inner"}));
    stage.tab = opener;
    stage.succeed("find", json!({"query": "Open"}));
}
