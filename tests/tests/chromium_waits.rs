//! Waiting for what real pages do in their own time, told with its progress.

use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::Response;
use ghostlight_tests::stage::Stage;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Waits</title><p id=spinner>Loading</p><p id=note></p><button \
    onclick=\"setTimeout(() => { spinner.hidden = true; note.textContent = 'All done' }, 700);\
    setTimeout(() => history.pushState(0, '', '/?step=2'), 500)\">Go</button>";

/// What is seen at once is told within this time.
const SOON: Duration = Duration::from_secs(3);

/// Runs a script in the page by the judge's hand.
fn page(stage: &mut Stage, script: &str) {
    stage.evaluate(&format!("void ({script})"));
}

#[test]
fn what_appears_goes_or_moves_on_is_seen_in_every_frame() {
    let mut stage = Stage::on(PAGE);
    stage.site.page("/frame", "<p>Frame</p>");
    stage.site.page("/next", "<title>Next</title><h1>Arrived</h1>");
    let inner = stage.site.other_site_url("/frame");
    page(
        &mut stage,
        &format!(
            "document.body.append(Object.assign(document.createElement('iframe'), {{src: '{inner}'}}))"
        ),
    );
    stage.succeed("wait_for", json!({"text": "Frame"}));
    stage.click("Go");
    let cases = [
        (json!({"url": "step=2"}), "as wanted"),
        (json!({"text": "all DONE"}), "Visible after"),
        (json!({"selector": "#spinner", "state": "gone"}), "Gone after"),
        (json!({"selector": "#spinner", "state": "present"}), "There after"),
        (json!({"state": "settled"}), "Settled after"),
    ];
    for (wanted, words) in cases {
        let reply = stage.succeed("wait_for", wanted.clone());
        assert!(reply.text.contains(words), "{wanted}: {}", reply.text);
        assert_eq!(reply.structured["found"], true);
    }
    let script = "setTimeout(() => location = '/next', 600)";
    page(&mut stage, script);
    let reply = stage.succeed("wait_for", json!({"text": "Arrived"}));
    assert!(reply.text.contains("heading \"Arrived\" [ref_"), "{}", reply.text);
    let reference = reply.structured["ref"].clone();
    stage.succeed("computer", json!({"action": "hover", "ref": reference}));
}

#[test]
fn a_change_in_a_frame_of_another_site_is_seen() {
    let mut stage = Stage::on("<title>Outer</title>");
    stage.site.page(
        "/frame",
        "<p id=p>Early</p><script>setTimeout(() => p.textContent = 'Late', 1500)</script>",
    );
    let inner = stage.site.other_site_url("/frame");
    page(
        &mut stage,
        &format!(
            "document.body.append(Object.assign(document.createElement('iframe'), {{src: '{inner}'}}))"
        ),
    );
    let reply = stage.succeed("wait_for", json!({"text": "Late"}));
    assert!(reply.text.contains("in the frame") && reply.text.contains("/frame"), "{}", reply.text);
    stage.succeed("wait_for", json!({"text": "Early", "state": "gone"}));
}

#[test]
fn the_deadline_is_kept_and_told_and_a_dialog_ends_the_wait() {
    let mut stage = Stage::on(PAGE);
    let cases = [
        (json!({"text": "never", "timeout_ms": 700}), "nothing that fits"),
        (json!({"selector": "#note", "timeout_ms": 0}), "cannot be seen"),
        (json!({"selector": "#spinner", "state": "gone", "timeout_ms": 700}), "still there"),
        (json!({"url": "step=9", "timeout_ms": 700}), "does not contain it"),
    ];
    for (wanted, words) in cases {
        let started = Instant::now();
        let reply = stage.succeed("wait_for", wanted.clone());
        assert!(reply.text.contains(words), "{wanted}: {}", reply.text);
        assert_eq!(reply.structured["found"], false);
        assert!(started.elapsed() < Duration::from_millis(2500), "{:?}", started.elapsed());
    }
    stage.site.serve("/slow", |_| {
        std::thread::park_timeout(Duration::from_millis(1500));
        Response::html("")
    });
    page(&mut stage, "fetch('/slow').then((answer) => answer.text())");
    stage.site.await_received("the slow request", |request| request.path == "/slow");
    let reply = stage.succeed("wait_for", json!({"state": "settled", "timeout_ms": 600}));
    assert!(reply.text.contains("1 requests of the page"), "{}", reply.text);
    let reply = stage.succeed("wait_for", json!({"state": "settled"}));
    assert!(reply.structured["elapsed_ms"].as_f64() < Some(2500.0), "{}", reply.text);
    page(&mut stage, "setInterval(() => note.append('.'), 50)");
    let reply = stage.succeed("wait_for", json!({"state": "settled", "timeout_ms": 900}));
    assert!(reply.text.contains("keeps changing"), "{}", reply.text);
    page(&mut stage, "setTimeout(() => alert('Stop'), 600)");
    let started = Instant::now();
    let told = stage.refused("wait_for", json!({"text": "never", "timeout_ms": 20000}));
    assert!(told.contains("alert") && told.contains("Stop"), "{told}");
    assert!(started.elapsed() < Duration::from_millis(2600), "{:?}", started.elapsed());
    stage.succeed("dialog", json!({"action": "accept"}));
    stage.succeed("wait_for", json!({"selector": "#spinner"}));
}

/// Calls `wait_for` with a progress token: the answer, and the progress told before it.
fn with_progress(stage: &mut Stage, mut wanted: Value) -> (Reply, Vec<f64>) {
    wanted["tabId"] = json!(stage.tab);
    let call = json!({"name": "wait_for", "arguments": wanted, "_meta": {"progressToken": "w"}});
    let id = stage.client.ask("tools/call", call);
    let mut told = Vec::new();
    let answer = loop {
        let next = stage.client.take_within(Duration::from_secs(20), |_| true);
        let message = next.expect("an answer, or progress");
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "w");
        told.extend(message["params"]["progress"].as_f64());
    };
    (Reply::read(answer), told)
}

#[test]
fn a_wait_tells_its_progress_and_a_cancelled_one_ends() {
    let mut stage = Stage::on(PAGE);
    let (reply, told) = with_progress(&mut stage, json!({"text": "never", "timeout_ms": 2400}));
    assert_eq!(reply.structured["found"], false);
    assert!((3..=5).contains(&told.len()), "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0] < pair[1]), "{told:?}");
    let tab = stage.tab;
    let id = stage
        .client
        .ask_tool("wait_for", json!({"tabId": tab, "text": "never", "timeout_ms": 30000}));
    stage.client.cancel(id);
    let started = Instant::now();
    stage.succeed("get_page_text", json!({}));
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
}

#[test]
fn a_tab_that_closes_ends_the_wait_for_its_address() {
    let mut stage = Stage::on(PAGE);
    let wanted = json!({"tabId": stage.tab, "url": "step=9", "timeout_ms": 20000});
    let call = json!({"name": "wait_for", "arguments": wanted, "_meta": {"progressToken": "w"}});
    let id = stage.client.ask("tools/call", call);
    let waits = stage.client.take_within(SOON, |message| message["id"].is_null());
    assert!(waits.is_some(), "no word of the wait");
    let judge = &mut stage.chromium.judge;
    let target = judge.page(&stage.site.url("/")).expect("the page");
    judge.close_target(&target);
    let ended = stage.client.take_within(SOON, |message| message["id"] == id);
    let reply = Reply::read(ended.expect("an end of the wait"));
    assert!(reply.text.contains("The tab is closed"), "{reply:?}");
}
