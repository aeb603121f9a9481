//! Tabs that nobody looks at: clicks land, pictures come, timers run. Run without and with windows,
//! since a browser without windows hides the worst of it.

use ghostlight_tests::stage::Stage;
use serde_json::json;
use std::time::{Duration, Instant};

const PAGE: &str = "<title>Agent's</title><body style='margin:0;background:#0a0'>\
    <button onclick=\"say('clicked', event.isTrusted)\">Press</button>\
    <input aria-label=Field>\
    <script>let frames = 0; (function f() { frames++; requestAnimationFrame(f) })()</script>";

/// A stage whose person looks at another tab.
fn hidden() -> Stage {
    let mut stage = Stage::on(PAGE);
    stage.site.page("/mine", "<title>Mine</title>");
    let mine = stage.site.url("/mine");
    let target = stage.chromium.judge.open(&mine);
    let shown =
        stage.chromium.judge.command("", "Target.activateTarget", json!({"targetId": target}));
    shown.expect("a tab can be shown");
    stage
}

#[test]
fn clicks_in_a_hidden_tab_land_soon_and_every_time() {
    let mut stage = hidden();
    let reference = stage.find("Press").reference;
    for n in 1..=12 {
        let started = Instant::now();
        stage.succeed("computer", json!({"action": "left_click", "ref": reference}));
        assert!(started.elapsed() < Duration::from_secs(2), "click {n}: {:?}", started.elapsed());
    }
    let all = || (stage.site.said("clicked").len() == 12).then_some(());
    ghostlight_tests::wait::until("twelve clicks", Duration::from_secs(5), all);
}

#[test]
fn a_hidden_tab_types_draws_and_is_pictured() {
    let mut stage = hidden();
    stage.click("Field");
    stage.succeed("computer", json!({"action": "type", "text": "unseen"}));
    assert_eq!(stage.evaluate("document.querySelector('input').value"), "unseen");
    let frames = stage.evaluate("frames").as_f64();
    for n in 0..3 {
        let started = Instant::now();
        let shot = stage.succeed("computer", json!({"action": "screenshot"}));
        assert!(shot.images[0].bytes.len() > 500);
        assert!(started.elapsed() < Duration::from_secs(3), "shot {n}: {:?}", started.elapsed());
    }
    assert!(stage.evaluate("frames").as_f64() > frames);
}

#[test]
fn the_persons_tab_stays_in_front_with_its_focus() {
    let mut stage = hidden();
    stage.click("Press");
    stage.succeed("computer", json!({"action": "screenshot"}));
    stage.client.open_page(&stage.site.url("/"));
    let mine = stage.site.url("/mine");
    let seen = stage.chromium.judge.evaluate(&mine, "document.visibilityState");
    assert_eq!(seen, "visible");
}

#[test]
fn a_hidden_tab_runs_scripts_and_is_waited_for() {
    let mut stage = hidden();
    let script = "setTimeout(() => document.body.append('Later'), 300); await new Promise((done) => \
        requestAnimationFrame(() => done(document.title)))";
    let started = Instant::now();
    let run = json!({"action": "javascript_exec", "text": script});
    assert!(stage.succeed("javascript_tool", run).text.contains("Agent's"));
    stage.succeed("wait_for", json!({"text": "Later", "timeout_ms": 3000}));
    stage.succeed("wait_for", json!({"selector": "button", "state": "visible"}));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let stuck = json!({"action": "javascript_exec", "text": "for (;;);", "timeout_ms": 200});
    assert!(stage.refused("javascript_tool", stuck).contains("was stopped"));
}
