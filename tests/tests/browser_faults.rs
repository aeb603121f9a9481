//! A browser that answers wrongly, late, twice or not at all, and one that dies in the middle.

use ghostlight_tests::client::Client;
use ghostlight_tests::fake_browser::{FakeBrowser, Twist, World, picture};
use ghostlight_tests::home::Home;
use ghostlight_tests::reply::Reply;
use ghostlight_tests::status::status;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::time::{Duration, Instant};

/// Far below any deadline of a call: what ends by then did not wait for one.
const AT_ONCE: Duration = Duration::from_secs(3);
const URL: &str = "http://example.test/";

struct Scene {
    home: Home,
    browser: FakeBrowser,
    client: Client,
    tab: i64,
}

impl Scene {
    fn new() -> Self {
        let home = Home::new();
        let browser = FakeBrowser::start(&home);
        let mut client = Client::connected(&home);
        let tab = client.open_tab();
        Self { home, browser, client, tab }
    }

    fn screenshot(&mut self) -> Reply {
        self.client.call("computer", json!({"tabId": self.tab, "action": "screenshot"}))
    }

    fn navigate(&mut self) -> Reply {
        self.client.call("navigate", json!({"tabId": self.tab, "url": URL}))
    }

    fn protocol_errors(&self) -> u64 {
        status(&self.home).and_then(|status| status["protocol_errors"].as_u64()).unwrap_or(0)
    }
}

#[test]
fn a_malformed_reply_is_counted_and_ends_the_call_at_once() {
    let cases = [
        Twist::Both,
        Twist::Without("ok"),
        Twist::Text(r#"{"data": 7}"#.to_owned()),
        Twist::Text("[]".to_owned()),
        Twist::Text("\"text\"".to_owned()),
        Twist::Answer(json!({"mime": "image/png"})),
    ];
    for twist in cases {
        let mut scene = Scene::new();
        scene.browser.next("capture", twist.clone());
        let started = Instant::now();
        let reply = scene.screenshot();
        assert!(!reply.is_success(), "{twist:?}: {reply:?}");
        assert!(started.elapsed() < AT_ONCE, "{twist:?} took {:?}", started.elapsed());
        assert_eq!(scene.protocol_errors(), 1, "{twist:?}");
        assert!(scene.screenshot().is_success(), "after {twist:?}");
    }
}

#[test]
fn a_frame_that_is_no_message_ends_nothing_but_its_own_connection() {
    for frame in ["{", "null", "[1]", r#"{"t":"nonsense"}"#, r#"{"t":"res"}"#, "\u{0}\u{1}"] {
        let mut scene = Scene::new();
        scene.browser.send_frame(frame.as_bytes());
        until(&format!("an error counted for {frame:?}"), LONG, || {
            (scene.protocol_errors() == 1).then_some(())
        });
        let other_client = Client::connected(&scene.home).call("explain", json!({}));
        assert!(other_client.is_success(), "{frame:?}: {other_client:?}");
        drop(scene.browser);
        scene.browser = FakeBrowser::start(&scene.home);
        scene.client.open_tab();
    }
}

#[test]
fn an_answer_to_nobody_or_of_a_former_worker_answers_nothing() {
    for twist in [Twist::OtherId, Twist::OtherWorker] {
        let mut scene = Scene::new();
        scene.browser.next("capture", twist.clone());
        let arguments = json!({"tabId": scene.tab, "action": "screenshot"});
        let id = scene.client.ask_tool("computer", arguments);
        scene.browser.await_request("capture");
        scene.client.succeed("explain", json!({}));
        let early = scene.client.take_within(Duration::from_millis(100), |m| m["id"] == id);
        assert_eq!(early, None, "{twist:?}");
    }
}

#[test]
fn an_answer_that_comes_twice_counts_once() {
    let mut scene = Scene::new();
    scene.browser.next("Page.navigate", Twist::Twice);
    assert!(scene.navigate().is_success());
    assert!(scene.navigate().is_success());
    assert_eq!(scene.browser.requests("Page.navigate").len(), 2);
}

#[test]
fn answers_in_another_order_find_their_calls() {
    let mut scene = Scene::new();
    let other = scene.client.open_tab();
    scene.browser.always("capture", Twist::Hold);
    let mut ids = Vec::new();
    for tab in [scene.tab, other] {
        let arguments = json!({"tabId": tab, "action": "screenshot"});
        ids.push(scene.client.ask_tool("computer", arguments));
    }
    until("both requests", LONG, || (scene.browser.world().held.len() == 2).then_some(()));
    scene.browser.release();
    for id in ids {
        let answer = scene.client.answer(id);
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
}

#[test]
fn an_effect_lost_with_its_browser_has_an_unknown_outcome() {
    let mut scene = Scene::new();
    scene.browser.next("Page.navigate", Twist::Die);
    let reply = scene.navigate();
    assert_eq!(reply.code(), -33003, "{reply:?}");
    let disposition = &reply.error.as_ref().expect("an error")["data"]["disposition"];
    assert_eq!(disposition, "outcome_unknown");
    let words = reply.words().to_lowercase();
    assert!(words.contains("not retry") || words.contains("not repeat"), "{words}");
    assert_eq!(scene.browser.requests("Page.navigate").len(), 1);
}

#[test]
fn a_read_lost_with_its_browser_may_be_tried_again() {
    let mut scene = Scene::new();
    scene.browser.next("capture", Twist::DieMidFrame);
    let started = Instant::now();
    let reply = scene.screenshot();
    assert!(!reply.is_success(), "{reply:?}");
    assert_ne!(reply.code(), -33003, "{reply:?}");
    assert!(started.elapsed() < LONG / 2, "took {:?}", started.elapsed());
}

#[test]
fn a_new_worker_ends_what_the_former_one_was_doing() {
    let mut scene = Scene::new();
    scene.browser.next("Page.navigate", Twist::Silence);
    let arguments = json!({"tabId": scene.tab, "url": URL});
    let asked = scene.client.ask_tool("navigate", arguments);
    scene.browser.await_request("Page.navigate");
    let started = Instant::now();
    scene.browser.restart_worker();
    let reply = Reply::read(scene.client.answer(asked));
    assert_eq!(reply.code(), -33003, "{reply:?}");
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    assert!(scene.navigate().is_success());
}

#[test]
fn a_refusal_of_the_browser_is_told_in_words() {
    let cases = [
        ("tab_closed", "closed"),
        ("restricted_page", ""),
        ("attach_denied", ""),
        ("paused", "paused"),
        ("stopped", "stop"),
        ("busy", ""),
        ("a_code_of_the_future", ""),
    ];
    for (code, word) in cases {
        let mut scene = Scene::new();
        let twist = Twist::Fault { code, message: "browser words", sent: false };
        scene.browser.next("capture", twist);
        let reply = scene.screenshot();
        assert!(reply.is_refusal(), "{code}: {reply:?}");
        assert!(reply.text.to_lowercase().contains(word), "{code}: {}", reply.text);
    }
}

#[test]
fn a_result_too_large_for_one_frame_is_refused_and_the_next_is_taken() {
    let mut scene = Scene::new();
    scene.browser.next("capture", Twist::Oversize(40 * 1024 * 1024));
    let reply = scene.screenshot();
    assert!(!reply.is_success(), "{} bytes of text", reply.text.len());
    scene.browser.close();
    let _back = FakeBrowser::start(&scene.home);
    scene.client.open_tab();
}

#[test]
fn a_large_result_arrives_in_parts() {
    let mut scene = Scene::new();
    // Still a picture, and more than one frame may hold.
    const LENGTH: usize = 1_050_000;
    let tab = scene.browser.world().tabs.values().next().cloned().expect("the tab is there");
    scene.browser.next("capture", Twist::Answer(picture(&tab, LENGTH)));
    let shot = scene.screenshot();
    assert!(shot.is_success(), "{}", shot.words());
    assert_eq!(shot.images[0].base64.len(), LENGTH);
}

#[test]
fn a_browser_of_another_protocol_is_refused_and_told_why() {
    let home = Home::new();
    let browser = FakeBrowser::launch(&home, World::speaking((90, 99)));
    let refusal = until("the refusal", LONG, || browser.world().refusals.first().cloned());
    assert!(refusal["message"].as_str().is_some_and(|text| !text.is_empty()), "{refusal}");
}

#[test]
fn a_page_that_leaves_between_check_and_act_is_not_acted_on() {
    for twist in [Twist::NavigateFirst("http://elsewhere.test/"), Twist::CloseFirst] {
        let mut scene = Scene::new();
        assert!(scene.navigate().is_success());
        scene.browser.next("cdp.seq", twist.clone());
        let press = json!({"tabId": scene.tab, "action": "key", "text": "Tab"});
        let text = scene.client.refused("computer", press);
        assert!(text.contains("Next step"), "{twist:?}: {text}");
        // Asked once, with the document it was meant for; the browser refused it and nothing followed.
        let asked = scene.browser.requests("cdp.seq");
        assert_eq!(asked.len(), 1, "{twist:?}");
        assert!(asked[0]["p"]["guard"]["loaderId"].is_string(), "{asked:?}");
    }
}
