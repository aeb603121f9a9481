//! The rig itself: what it reports is what happened.

use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::home::Home;
use ghostlight_tests::site::Site;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;

#[test]
fn the_judge_sees_the_page_and_the_site_hears_it() {
    let home = Home::new();
    let site = Site::of("<title>Here</title><script>say('loaded', location.pathname)</script>");
    let mut chromium = Chromium::launch(&home);
    chromium.judge.open(&site.url("/"));
    assert_eq!(site.await_said("loaded"), json!("/"));
    assert_eq!(chromium.judge.evaluate(&site.url("/"), "document.title"), "Here");
}

#[test]
fn nothing_outlives_its_home() {
    let home = Home::new();
    let chromium = Chromium::launch(&home);
    let pid = chromium.process.pid();
    until("the browser among the home's processes", LONG, || {
        home.processes().contains(&pid).then_some(())
    });
    let folder = home.path().to_owned();
    // Its children are then nobody's, and still the home's.
    drop(home);
    assert!(!folder.exists());
    drop(chromium);
}
