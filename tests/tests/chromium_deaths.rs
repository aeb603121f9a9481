//! Each part is killed between two calls: the next works, or says truthfully what is missing.

use ghostlight_tests::binaries::{CONNECTOR, SERVICE};
use ghostlight_tests::client::Client;
use ghostlight_tests::process::send;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::status::await_browser;
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::json;

const PAGE: &str = "<title>Here</title><button onclick=\"say('clicked')\">Press</button>";

fn kill_all(stage: &Stage, program: &str) {
    let before = stage.home.running(program);
    assert!(!before.is_empty(), "{program} runs");
    before.iter().for_each(|pid| send(*pid, Signal::KILL));
    until(&format!("the end of {program}"), LONG, || {
        stage.home.running(program).iter().all(|pid| !before.contains(pid)).then_some(())
    });
}

/// A fresh tab does the whole job.
fn works_again(stage: &mut Stage) {
    let clicks = stage.site.said("clicked").len();
    stage.tab = stage.client.open_page(&stage.site.url("/"));
    stage.click("Press");
    until("the click", LONG, || (stage.site.said("clicked").len() > clicks).then_some(()));
}

#[test]
fn the_extensions_worker_dies_and_its_tabs_live_on() {
    let mut stage = Stage::on(PAGE);
    stage.click("Press");
    assert!(stage.chromium.kill_worker(), "the extension has a worker");
    let reply = stage.call("get_page_text", json!({}));
    if !reply.is_success() {
        assert!(reply.words().to_lowercase().contains("browser"), "{reply:?}");
    }
    until("the same tab working again", LONG, || {
        stage.call("find", json!({"query": "Press"})).is_success().then_some(())
    });
    stage.click("Press");
    until("the second click", LONG, || (stage.site.said("clicked").len() == 2).then_some(()));
}

#[test]
fn the_connector_dies_and_its_tabs_live_on() {
    let mut stage = Stage::on(PAGE);
    kill_all(&stage, CONNECTOR);
    let reply = stage.call("get_page_text", json!({}));
    assert!(reply.is_success() || reply.words().to_lowercase().contains("browser"), "{reply:?}");
    until("the same tab working again", LONG, || {
        stage.call("find", json!({"query": "Press"})).is_success().then_some(())
    });
    stage.click("Press");
    assert_eq!(stage.site.await_said("clicked"), json!(null));
}

#[test]
fn the_service_dies_and_what_it_knew_is_told_as_lost() {
    let mut stage = Stage::on(PAGE);
    kill_all(&stage, SERVICE);
    let reply = stage.call("get_page_text", json!({}));
    // The edge may send the call before it learns of the death.
    let lost = reply.code() == -33001 && reply.words().contains("nothing was changed");
    assert!(lost || reply.is_refusal() && reply.words().contains("tab"), "{reply:?}");
    await_browser(&stage.home);
    works_again(&mut stage);
}

#[test]
fn the_edge_dies_and_another_takes_its_place() {
    let mut stage = Stage::on(PAGE);
    stage.client.process.kill();
    stage.client = Client::connected(&stage.home);
    let text = stage.refused("get_page_text", json!({}));
    assert!(text.contains("tab"), "{text}");
    works_again(&mut stage);
}

#[test]
fn the_browser_ends_and_the_next_one_is_found() {
    let mut stage = Stage::on(PAGE);
    stage.chromium.process.signal(Signal::TERM);
    stage.chromium.process.ended();
    let reply = stage.call("get_page_text", json!({}));
    assert!(!reply.is_success(), "{reply:?}");
    assert!(reply.words().to_lowercase().contains("browser") || reply.words().contains("tab"));
    stage.chromium = ghostlight_tests::chromium::Chromium::start(&stage.home);
    works_again(&mut stage);
}
