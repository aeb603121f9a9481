//! The person's word in a real Chromium: said in the popup, by a key or in the browser's own bar, it holds
//! whatever ends and starts again.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::send;
use ghostlight_tests::profile::Look;
use ghostlight_tests::reply::Reply;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::status::{await_browser, connected_browsers};
use ghostlight_tests::wait::{LONG, until, within_time};
use rustix::process::Signal;
use serde_json::json;
use std::time::Duration;

const PAGE: &str = "<title>Here</title><button onclick=\"say('clicked')\">Press</button>";
/// Longer than the extension waits before it attaches a lost debugger again.
const RETURN: Duration = Duration::from_secs(4);

fn latch(home: &Home) -> String {
    let browsers = connected_browsers(home);
    browsers.first().and_then(|one| one["latch"].as_str()).unwrap_or_default().to_owned()
}

fn await_latch(home: &Home, wanted: &str) {
    until(&format!("a browser that is {wanted}"), LONG, || (latch(home) == wanted).then_some(()));
}

/// What was true before stays true with a new worker, and with a new service.
fn through_restarts(stage: &mut Stage, holds: impl Fn(&mut Stage)) {
    holds(stage);
    assert!(stage.chromium.kill_worker(), "the extension has a worker");
    stage.chromium.awake_worker();
    holds(stage);
    for pid in stage.home.running(SERVICE) {
        send(pid, Signal::KILL);
    }
    await_browser(&stage.home);
    holds(stage);
}

fn opens(stage: &mut Stage) -> Reply {
    until("an answer of browser and service", LONG, || {
        let reply = stage.client.call("tabs_create_mcp", json!({}));
        let away = reply.words().contains("away") || reply.words().contains("service");
        (!away).then_some(reply)
    })
}

#[test]
fn pause_and_stop_of_the_popup_hold_over_a_new_worker_and_a_new_service() {
    let mut stage = Stage::on(PAGE);
    let button = stage.find("Press").reference;
    let press = json!({"action": "left_click", "ref": button});
    stage.chromium.press_in_popup("pause");
    await_latch(&stage.home, "paused");
    assert!(stage.refused("computer", press).contains("paused"));
    through_restarts(&mut stage, |stage| {
        let reply = opens(stage);
        assert!(reply.is_refusal() && reply.text.contains("paused"), "{reply:?}");
    });
    stage.chromium.press_in_popup("resume");
    await_latch(&stage.home, "running");
    stage.tab = stage.client.open_page(&stage.site.url("/"));
    stage.click("Press");
    stage.site.await_said("clicked");

    stage.chromium.press_in_popup("stop");
    await_latch(&stage.home, "stopped");
    until("no debugger", LONG, || (stage.chromium.attached_tabs() == 0).then_some(()));
    through_restarts(&mut stage, |stage| {
        let reply = opens(stage);
        assert!(reply.is_refusal() && reply.text.contains("stopped"), "{reply:?}");
        stage.chromium.awake_worker();
        assert_eq!(stage.chromium.attached_tabs(), 0);
    });
    stage.chromium.press_in_popup("restart");
    await_latch(&stage.home, "running");
    stage.tab = stage.client.open_page(&stage.site.url("/"));
    stage.click("Press");
    assert_eq!(stage.site.said("clicked").len(), 2);
}

/// A browser with windows whose own bar shows, and its window's number and place.
fn with_windows(home: &Home) -> (Chromium, String, (i32, i32, i32)) {
    let chromium = Chromium::launch_as(home, Look { headed: true, bar: true, ..Look::default() });
    await_browser(home);
    let window = until("a window", LONG, || {
        let windows = chromium.xdotool("search --onlyvisible --class chromium");
        windows.lines().last().map(str::to_owned)
    });
    let said = chromium.xdotool(&format!("getwindowgeometry --shell {window}"));
    let number = |name: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        line.and_then(|text| text.parse::<i32>().ok()).unwrap_or_default()
    };
    let place = (number("X"), number("Y"), number("WIDTH"));
    (chromium, window, place)
}

/// Clicks along the line where the browser's bars have their buttons, until a stop is heard: Cancel is in the
/// middle of its bar. A bar about something else in front of it is closed at its end.
fn cancel_in_the_bar(home: &Home, chromium: &Chromium, (left, top, width): (i32, i32, i32)) {
    let row = top + 114;
    until("a stop by the browser's bar", LONG, || {
        for x in (left + width / 2..left + width - 80).step_by(24) {
            chromium.xdotool(&format!("mousemove {x} {row} click 1"));
            if latch(home) == "stopped" {
                return Some(());
            }
        }
        chromium.xdotool(&format!("mousemove {} {row} click 1", left + width - 31));
        within_time(Duration::from_secs(1), || (latch(home) == "stopped").then_some(()))
    });
}

#[test]
fn keys_and_the_browsers_own_bar_are_the_persons_word_too() {
    let (home, site) = (Home::new(), Site::of(PAGE));
    let (mut chromium, window, place) = with_windows(&home);
    let mut client = Client::connected(&home);
    let tab = client.open_page(&site.url("/"));
    chromium.xdotool(&format!("windowfocus {window}"));
    chromium.xdotool("key alt+shift+h");
    await_latch(&home, "paused");
    let text = client.refused("navigate", json!({"tabId": tab, "url": site.url("/")}));
    assert!(text.contains("paused"), "{text}");
    chromium.xdotool("key alt+shift+h");
    await_latch(&home, "running");
    client.succeed("navigate", json!({"tabId": tab, "url": site.url("/")}));
    chromium.xdotool("key alt+shift+s");
    await_latch(&home, "stopped");
    assert!(client.refused("tabs_create_mcp", json!({})).contains("stopped"));
    chromium.press_in_popup("restart");
    await_latch(&home, "running");

    let tab = client.open_page(&site.url("/"));
    cancel_in_the_bar(&home, &chromium, place);
    for _ in 0..2 {
        let text = client.refused("get_page_text", json!({"tabId": tab}));
        assert!(text.contains("stopped") || text.contains("no such tab"), "{text}");
        let attached = within_time(RETURN, || (chromium.attached_tabs() > 0).then_some(()));
        assert_eq!(attached, None, "attached again after the person's Cancel");
    }
}
