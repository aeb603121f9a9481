//! Clicks, keys and scrolling, judged by the events that the page saw.

use ghostlight_tests::stage::Stage;
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn click(stage: &mut Stage, reference: &str) -> ghostlight_tests::reply::Reply {
    stage.call("computer", json!({"action": "left_click", "ref": reference}))
}

const SAY_CLICK: &str = "onclick=\"say('clicked', event.isTrusted)\"";

#[test]
fn a_click_far_down_the_page_is_scrolled_to_and_trusted() {
    let mut stage =
        Stage::on(&format!("<div style='height:4000px'></div><button {SAY_CLICK}>Far</button>"));
    stage.click("Far");
    assert_eq!(stage.site.await_said("clicked"), json!(true));
    assert_eq!(stage.site.said("clicked").len(), 1);
}

#[test]
fn a_click_at_a_place_of_the_last_screenshot_hits_that_place() {
    let mut stage = Stage::on(
        "<body style='margin:0'><script>addEventListener('click', e => say('at', [e.clientX, e.clientY]))</script>",
    );
    let shot = stage.succeed("computer", json!({"action": "screenshot"}));
    assert!(shot.images[0].bytes.len() > 500);
    stage.succeed("computer", json!({"action": "left_click", "coordinate": [120, 80]}));
    let at = stage.site.await_said("at");
    let near = |axis: usize, wanted: f64| (at[axis].as_f64().unwrap_or(-99.0) - wanted).abs() < 3.0;
    assert!(near(0, 120.0) && near(1, 80.0), "{at}");
    let text = stage.refused("computer", json!({"action": "left_click", "coordinate": [99999, 5]}));
    assert!(!text.is_empty());
}

#[test]
fn a_button_that_cannot_be_hit_is_refused_and_not_clicked() {
    let cases = [
        ("disabled", format!("<button disabled {SAY_CLICK}>Target</button>")),
        (
            "covered",
            format!(
                "<button {SAY_CLICK}>Target</button>\
                 <div style='position:fixed;inset:0;background:#fff8' onclick=\"say('cover')\"></div>"
            ),
        ),
    ];
    for (why, page) in cases {
        let mut stage = Stage::on(&page);
        let reference = stage.read().reference("button", "Target");
        let started = Instant::now();
        let reply = click(&mut stage, &reference);
        assert!(reply.is_refusal(), "{why}: {reply:?}");
        assert!(started.elapsed() < LONG, "{why} took {:?}", started.elapsed());
        assert!(stage.site.said("clicked").is_empty(), "{why}");
        assert!(stage.site.said("cover").is_empty(), "{why}");
    }
}

#[test]
fn an_element_that_left_the_page_is_refused() {
    let mut stage = Stage::on(&format!("<button id=b {SAY_CLICK}>Target</button>"));
    let reference = stage.find("Target").reference;
    stage.evaluate("document.getElementById('b').remove()");
    let reply = click(&mut stage, &reference);
    assert!(reply.is_refusal(), "{reply:?}");
    assert!(stage.site.said("clicked").is_empty());
}

#[test]
fn a_moving_button_is_clicked_when_it_rests() {
    let mut stage = Stage::on(&format!(
        "<style>@keyframes m {{ from {{ left: 0 }} to {{ left: 600px }} }}\
         button {{ position: absolute; left: 600px; animation: m 1500ms linear }}</style>\
         <button {SAY_CLICK}>Target</button>"
    ));
    let reference = stage.find("Target").reference;
    // On a machine that paints a frame a second it may be caught moving; then nothing reached it.
    until("the click", LONG, || {
        let reply = click(&mut stage, &reference);
        assert!(reply.is_success() || reply.text.contains("Retry: safe"), "{reply:?}");
        reply.is_success().then_some(())
    });
    assert_eq!(stage.site.await_said("clicked"), json!(true));
    assert_eq!(stage.site.said("clicked").len(), 1);
}

#[test]
fn a_click_that_opens_a_question_returns_and_names_it() {
    let mut stage = Stage::on("<button onclick=\"say('answer', confirm('Really?'))\">Ask</button>");
    let reference = stage.find("Ask").reference;
    let started = Instant::now();
    let reply = click(&mut stage, &reference);
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(reply.words().contains("dialog") || reply.words().contains("confirm"), "{reply:?}");
    // The tab is held by the question, and says so at once.
    let started = Instant::now();
    let text = stage.refused("get_page_text", json!({}));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(text.contains("dialog"), "{text}");
}

#[test]
fn a_click_that_leads_elsewhere_says_so() {
    let mut stage = Stage::on("<a href=/two>Onward</a>");
    stage.site.page("/two", "<title>Two</title><p>arrived");
    let reply = stage.click("Onward");
    assert!(reply.text.contains("/two") || reply.text.contains("navigat"), "{}", reply.text);
    stage.site.await_received("the second page", |r| r.path == "/two");
    let text = until("the second page's text", LONG, || {
        let text = stage.call("get_page_text", json!({}));
        text.text.contains("arrived").then_some(text.text)
    });
    assert!(text.contains("Two"));
}

#[test]
fn a_click_that_opens_a_tab_gives_it_to_the_workspace() {
    let mut stage = Stage::on("<a href=/two target=_blank>New tab</a>");
    stage.site.page("/two", "<title>Two</title><p>opened");
    stage.click("New tab");
    stage.site.await_received("the new tab's page", |r| r.path == "/two");
    let other = until("the new tab in the listing", LONG, || {
        let listed = stage.client.succeed("tabs_context_mcp", json!({})).structured;
        let tabs = listed["tabs"].as_array().cloned().unwrap_or_default();
        tabs.iter().find(|t| t["tabId"] != stage.tab).and_then(|t| t["tabId"].as_i64())
    });
    let text = stage.client.succeed("get_page_text", json!({"tabId": other})).text;
    assert!(text.contains("opened"), "{text}");
}

#[test]
fn typing_gives_real_key_events_in_order() {
    let mut stage = Stage::on(
        "<input aria-label=Field><script>const f = document.querySelector('input'); let keys = '';\
         f.addEventListener('keydown', e => { keys += e.key + (e.isTrusted ? '' : '!'); });\
         f.addEventListener('change', () => say('typed', [f.value, keys]));</script>",
    );
    stage.click("Field");
    let text = "Hello, W\u{f6}rld \u{4f60}\u{1f600}";
    stage.succeed("computer", json!({"action": "type", "text": text}));
    assert_eq!(stage.evaluate("document.querySelector('input').value"), text);
    stage.succeed("computer", json!({"action": "key", "text": "Tab"}));
    let typed = stage.site.await_said("typed");
    assert_eq!(typed[0], text);
    assert!(typed[1].as_str().is_some_and(|keys| keys.starts_with("Hello,")), "{typed}");
    let refused = stage.refused("computer", json!({"action": "type"}));
    assert!(refused.contains("text"), "{refused}");
}

#[test]
fn keys_and_chords_do_what_they_do_for_people() {
    let mut stage = Stage::on(
        "<form action=/sent><input name=q aria-label=Query value=old></form>\
         <script>addEventListener('keydown', e => say('key', [e.key, e.ctrlKey, e.shiftKey]))</script>",
    );
    stage.site.page("/sent", "<title>Sent</title>");
    stage.click("Query");
    stage.succeed("computer", json!({"action": "key", "text": "ctrl+a"}));
    stage.succeed("computer", json!({"action": "type", "text": "new"}));
    stage.succeed("computer", json!({"action": "key", "text": "Enter"}));
    let sent = stage.site.await_received("the form", |r| r.path == "/sent");
    assert_eq!(sent.field("q").as_deref(), Some("new"));
    assert!(stage.site.said("key").contains(&json!(["a", true, false])));
    stage.go("/");
    stage.click("Query");
    let typed = stage.succeed("computer", json!({"action": "type", "text": "er\n"}));
    assert!(typed.text.contains("each line break was pressed as Enter"), "{}", typed.text);
    stage.site.await_received("it once more", |r| r.field("q").as_deref() == Some("older"));
    let refused = stage.refused("computer", json!({"action": "key", "text": "ctrl+nosuchkey"}));
    assert!(refused.contains("nosuchkey"), "{refused}");
}

#[test]
fn scrolling_moves_the_page_or_says_that_nothing_moved() {
    let mut stage = Stage::on("<div style='height:5000px'>tall</div>");
    let down = json!({"action": "scroll", "scroll_direction": "down", "scroll_amount": 5,
                      "coordinate": [200, 200]});
    // Coordinates are pixels of a picture, so there has to be one.
    let text = stage.refused("computer", down.clone());
    assert!(text.contains("screenshot"), "{text}");
    stage.succeed("computer", json!({"action": "screenshot"}));
    stage.succeed("computer", down.clone());
    let moved = until("the page having moved", LONG, || {
        stage.evaluate("scrollY").as_f64().filter(|y| *y > 100.0)
    });
    assert!(moved < 2000.0, "{moved}");
    stage.evaluate("scrollTo(0, 1e6)");
    let still = stage.call("computer", down);
    assert!(still.words().contains("not") || still.words().contains("no "), "{}", still.words());
    let refused = stage.refused("computer", json!({"action": "scroll", "coordinate": [1, 1]}));
    assert!(refused.contains("scroll_direction"), "{refused}");
}

#[test]
fn a_receipt_tells_what_changed_and_nothing_else() {
    let mut stage = Stage::on(
        "<button>Idle</button><button onclick=\"document.body.append('grown')\">Busy</button>",
    );
    let idle = stage.click("Idle");
    let busy = stage.click("Busy");
    assert_ne!(idle.text, busy.text);
    let changes = |value: &Value| value.to_string();
    assert!(changes(&busy.structured) == "null", "an action with pictures has no structure");
}
