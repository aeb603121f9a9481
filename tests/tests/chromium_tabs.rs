//! Tabs and addresses in real Chromium, judged by the site's log and a second CDP client.

use ghostlight_tests::client::Client;
use ghostlight_tests::site::{Response, Site};
use ghostlight_tests::stage::Stage;
use serde_json::json;
use std::time::{Duration, Instant};

#[test]
fn a_created_tab_is_the_workspaces_and_no_other_is() {
    let mut stage = Stage::on("<title>First</title>");
    let url = stage.site.url("/");
    stage.chromium.judge.open(&stage.site.url("/persons-own"));
    assert!(stage.chromium.judge.page(&url).is_some());
    let listed = stage.client.succeed("tabs_context_mcp", json!({}));
    let tabs = listed.structured["tabs"].as_array().cloned().unwrap_or_default();
    assert_eq!(tabs.len(), 1, "{listed:?}");
    assert_eq!((&tabs[0]["tabId"], &tabs[0]["url"]), (&json!(stage.tab), &json!(url)));
    assert!(!listed.text.contains("persons-own"), "{}", listed.text);
    let mut stranger = Client::connected(&stage.home);
    let none = stranger.succeed("tabs_context_mcp", json!({}));
    assert_eq!(none.structured["tabs"], json!([]));
    let made = stranger.succeed("tabs_context_mcp", json!({"createIfEmpty": true}));
    assert_eq!(made.structured["tabs"].as_array().map(Vec::len), Some(1), "{made:?}");
}

#[test]
fn opening_a_tab_takes_no_focus_from_the_persons_own() {
    let mut stage = Stage::on("<title>Agent</title>");
    let site = stage.site.url("/mine");
    stage.site.page("/mine", "<title>Mine</title>");
    stage.chromium.judge.open(&site);
    stage.client.open_page(&stage.site.url("/"));
    assert_eq!(stage.chromium.judge.evaluate(&site, "document.visibilityState"), "visible");
}

#[test]
fn navigate_asks_for_the_address_it_was_given() {
    let mut stage = Stage::on("<title>One</title><p>one");
    stage.site.page("/two", "<title>Two</title><p>two");
    let reply = stage.go("/two?q=1");
    assert_eq!(reply.structured["url"], stage.site.url("/two?q=1"));
    assert_eq!(reply.structured["title"], "Two");
    assert!(stage.site.received().iter().any(|r| r.path == "/two" && r.query == "q=1"));
    // A loopback server speaks no TLS: the scheme is left as it was, or is the one that works.
    let local = stage.site.other_site_url("/two");
    let reply = stage.succeed("navigate", json!({"url": local}));
    assert_eq!(reply.structured["url"], local);
    let bare = local.trim_start_matches("http://").to_owned();
    let reply = stage.succeed("navigate", json!({"url": bare}));
    assert_eq!(reply.structured["url"], local);
}

#[test]
fn navigate_goes_back_and_forward() {
    let mut stage = Stage::on("<title>One</title>");
    stage.site.page("/two", "<title>Two</title>");
    stage.go("/two");
    let back = stage.succeed("navigate", json!({"url": "back"}));
    assert_eq!(back.structured["title"], "One", "{back:?}");
    let forward = stage.succeed("navigate", json!({"url": "forward"}));
    assert_eq!(forward.structured["title"], "Two", "{forward:?}");
    assert_eq!(stage.evaluate("document.title"), "Two");
    let text = stage.refused("navigate", json!({"url": "forward"}));
    assert!(!text.is_empty());
}

#[test]
fn navigate_follows_redirects_and_says_where_it_landed() {
    let mut stage = Stage::on("<title>One</title>");
    stage.site.serve("/away", |_| Response::redirect("/landed"));
    stage.site.page("/landed", "<title>Landed</title>");
    let reply = stage.go("/away");
    assert_eq!(reply.structured["url"], stage.site.url("/landed"));
}

#[test]
fn a_name_that_does_not_exist_is_a_failure_that_says_so() {
    let mut stage = Stage::on("<title>One</title>");
    let text = stage.refused("navigate", json!({"url": "http://no-such-host.invalid/"}));
    assert!(text.to_lowercase().contains("name") || text.contains("DNS"), "{text}");
    let refused = stage.refused("navigate", json!({"url": "http://127.0.0.1:1/"}));
    assert_ne!(refused, text);
    stage.go("/");
}

#[test]
fn a_download_is_told_and_leaves_the_page() {
    let mut stage = Stage::on("<title>One</title>");
    stage.site.serve("/file", |_| {
        let mut file = Response::of("application/octet-stream", vec![0; 64]);
        file.headers.push(("Content-Disposition", "attachment; filename=a.bin".to_owned()));
        file
    });
    let url = stage.site.url("/file");
    let started = Instant::now();
    let reply = stage.call("navigate", json!({"url": url}));
    assert!(reply.words().contains("download"), "{reply:?}");
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    assert_eq!(stage.evaluate("document.title"), "One");
}

#[test]
fn a_page_that_wants_to_be_asked_is_left_only_by_force() {
    let page = "<title>Draft</title><button onclick='this.textContent=\"touched\"'>Touch</button>\
         <script>addEventListener('beforeunload', e => { e.preventDefault(); })</script>";
    let mut stage = Stage::on(page);
    stage.site.page("/two", "<title>Two</title>");
    stage.click("Touch");
    let url = stage.site.url("/two");
    let started = Instant::now();
    let text = stage.refused("navigate", json!({"url": url}));
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    assert!(text.contains("force"), "{text}");
    assert_eq!(stage.evaluate("document.title"), "Draft");
    let forced = stage.succeed("navigate", json!({"url": url, "force": true}));
    assert_eq!(forced.structured["title"], "Two");
}

#[test]
fn the_browsers_own_pages_are_refused_and_the_tab_stays_usable() {
    let mut stage = Stage::on("<title>One</title>");
    for url in
        ["chrome://settings", "chrome://version", "devtools://devtools", "file:///etc/passwd"]
    {
        stage.refused("navigate", json!({"url": url}));
        assert_eq!(stage.evaluate("document.title"), "One", "{url}");
    }
    stage.succeed("get_page_text", json!({}));
}

#[test]
fn a_slow_page_is_usable_before_its_last_picture() {
    let site = Site::new();
    site.page("/", "<title>Slow</title><p>ready</p><img src=/never>");
    site.serve("/never", |_| {
        // Longer than a navigation may take; the connection ends with the test.
        std::thread::park_timeout(Duration::from_secs(20));
        Response::of("image/png", Vec::new())
    });
    let started = Instant::now();
    let mut stage = Stage::of(site);
    assert!(started.elapsed() < Duration::from_secs(18), "{:?}", started.elapsed());
    assert!(stage.succeed("get_page_text", json!({})).text.contains("ready"));
}

#[test]
fn a_tab_closed_by_its_person_is_gone_for_the_client() {
    let mut stage = Stage::on("<title>One</title>");
    let url = stage.site.url("/");
    let target = stage.chromium.judge.page(&url).expect("the tab is there");
    stage.chromium.judge.close_target(&target);
    let text = stage.refused("get_page_text", json!({}));
    assert!(text.contains("tab"), "{text}");
    let listed = stage.client.succeed("tabs_context_mcp", json!({}));
    assert_eq!(listed.structured["tabs"], json!([]));
}
