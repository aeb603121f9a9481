//! Many workspaces and tabs in one real Chromium, and two profiles side by side.

use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::home::Home;
use ghostlight_tests::profile::Look;
use ghostlight_tests::site::Site;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::status::{connected_browsers, status};
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Instant;

const PAGE: &str =
    "<title>Here</title><button onclick=\"say('clicked', location.search)\">Press</button>";
const TABS_EACH: usize = 2;

/// 50 workspaces with 100 tabs when `FULL=1` asks for them.
fn workspaces() -> usize {
    if std::env::var_os("FULL").is_some_and(|full| full == "1") { 50 } else { 8 }
}

/// Resident memory of everything that runs from this home, in MiB.
fn resident(home: &Home) -> u64 {
    let of = |pid: &u32| {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0)
    };
    home.processes().iter().map(of).sum::<u64>() / 1024
}

#[test]
fn many_workspaces_with_tabs_of_their_own_each_click_their_own_button() {
    let (home, site) = (Home::new(), Site::of(PAGE));
    let _chromium = Chromium::start(&home);
    let started = Instant::now();
    let mut clients: Vec<(Client, Vec<i64>)> = Vec::new();
    for number in 0..workspaces() {
        let mut client = Client::with_workspace(&home, Revision::November2025);
        let open = |at: usize| client.open_page(&site.url(&format!("/?{number}.{at}")));
        let tabs = (0..TABS_EACH).map(open).collect();
        clients.push((client, tabs));
    }
    let count = clients.len() * TABS_EACH;
    eprintln!("{count} tabs after {:?}, {} MiB", started.elapsed(), resident(&home));
    assert_eq!(status(&home).expect("it runs")["browsers"][0]["tabs"], count);
    std::thread::scope(|scope| {
        for (client, tabs) in &mut clients {
            scope.spawn(move || {
                for tab in tabs {
                    let found = client.succeed("find", json!({"tabId": *tab, "query": "Press"}));
                    let button = found.elements()[0].reference.clone();
                    let click = json!({"tabId": *tab, "action": "left_click", "ref": button});
                    client.succeed("computer", click);
                }
            });
        }
    });
    until("every click", LONG, || (site.said("clicked").len() >= count).then_some(()));
    let mut clicks: BTreeMap<String, usize> = BTreeMap::new();
    for page in site.said("clicked") {
        *clicks.entry(page.as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    assert!(clicks.len() == count && clicks.values().all(|times| *times == 1), "{clicks:?}");
    eprintln!("{count} clicks after {:?}, {} MiB", started.elapsed(), resident(&home));
    for (client, tabs) in &mut clients {
        let listed = client.succeed("tabs_context_mcp", json!({}));
        let ids: Vec<_> = listed.structured["tabs"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|tab| tab["tabId"].as_i64())
            .collect();
        assert_eq!(&ids, tabs);
    }
}

fn pages(chromium: &mut Chromium, url: &str) -> usize {
    let targets = chromium.judge.targets();
    let at = |target: &&Value| target["url"].as_str().is_some_and(|is| is.starts_with(url));
    targets.iter().filter(at).count()
}

#[test]
fn between_two_profiles_the_person_is_asked_and_each_has_its_own_pages() {
    let (home, site) = (Home::new(), Site::of(PAGE));
    let mut first = Chromium::start(&home);
    let mut early = Client::connected(&home);
    early.open_page(&site.url("/?early"));
    let mut second = Chromium::launch_as(&home, Look { profile: "profile-2", ..Look::default() });
    until("two browsers", LONG, || (connected_browsers(&home).len() == 2).then_some(()));
    early.open_page(&site.url("/?early"));
    assert_eq!(
        (pages(&mut first, &site.url("/?early")), pages(&mut second, &site.url("/?early"))),
        (2, 0)
    );
    let labels: Vec<_> = connected_browsers(&home).iter().map(|one| one["label"].clone()).collect();
    assert_ne!(labels[0], labels[1]);
    for (at, label) in labels.iter().enumerate() {
        let mut late = Client::connected(&home);
        let asked = late.refused("tabs_create_mcp", json!({}));
        assert!(
            labels.iter().all(|label| asked.contains(label.as_str().unwrap_or("?"))),
            "{asked}"
        );
        let opened = late.succeed("tabs_create_mcp", json!({"browser": label}));
        assert_eq!(&opened.structured["browser"], label);
        let url = site.url(&format!("/?late{at}"));
        late.succeed("navigate", json!({"tabId": opened.tab_id(), "url": url}));
        let there = (pages(&mut first, &url), pages(&mut second, &url));
        assert_eq!(there, if at == 0 { (1, 0) } else { (0, 1) });
    }
    // The popup shows the person the name that the agents use.
    let worker = second.awake_worker();
    let name =
        "(async () => `${(await chrome.storage.local.get('profileId')).profileId.slice(0, 4)}`)()";
    let tag = second.judge.ask(&worker, name);
    let shown = labels[1].as_str().unwrap_or_default().ends_with(tag.as_str().unwrap_or("?"));
    assert!(shown, "{tag} in {labels:?}");
}

#[test]
fn a_tab_that_the_browser_put_to_sleep_stays_its_workspaces() {
    let mut stage = Stage::on(PAGE);
    let native = stage.tab & i64::from(u32::MAX);
    let worker = stage.chromium.awake_worker();
    let slept = stage
        .chromium
        .judge
        .ask(&worker, &format!("chrome.tabs.discard({native}).then((tab) => tab.id)"));
    assert_ne!(slept, native, "this browser gives a sleeping tab another number");
    stage.tab = until("the tab under its new number", LONG, || {
        let listed = stage.client.succeed("tabs_context_mcp", json!({}));
        let tabs = listed.structured["tabs"].as_array().expect("a list").clone();
        assert!(tabs.len() <= 1, "{tabs:?}");
        tabs[0]["tabId"].as_i64().filter(|tab| *tab != stage.tab)
    });
    let button = stage.find("Press").reference;
    // Nobody has looked at it since, and so the browser draws nothing; it is not waited for.
    for arguments in
        [json!({"action": "screenshot"}), json!({"action": "left_click", "ref": button})]
    {
        let (started, said) = (Instant::now(), stage.refused("computer", arguments));
        assert!(said.contains("put this tab to sleep"), "{said}");
        assert!(started.elapsed().as_secs() < 3, "{:?}", started.elapsed());
    }
    stage.succeed("tab_control", json!({"action": "focus"}));
    stage.click("Press");
    stage.site.await_said("clicked");
    stage.succeed("computer", json!({"action": "screenshot"}));
}

#[test]
fn a_page_that_crashed_says_so_and_is_loaded_again() {
    let mut stage = Stage::on(PAGE);
    let session = stage.chromium.judge.attach(&stage.site.url("/"));
    stage.chromium.judge.tell(&session, "Page.crash", json!({}));
    let calls = [
        ("read_page", json!({})),
        ("get_page_text", json!({})),
        ("find", json!({"query": "Press"})),
        ("computer", json!({"action": "screenshot"})),
        ("computer", json!({"action": "key", "text": "Tab"})),
        ("wait_for", json!({"state": "settled"})),
        ("wait_for", json!({"text": "Press"})),
    ];
    for (tool, arguments) in calls {
        let (started, said) = (Instant::now(), stage.refused(tool, arguments));
        assert!(said.contains("crashed") && said.contains("Next step: navigate"), "{tool}: {said}");
        assert!(started.elapsed().as_secs() < 3, "{tool}: {:?}", started.elapsed());
    }
    stage.go("/");
    stage.click("Press");
    stage.site.await_said("clicked");
}

#[test]
fn a_browser_that_is_killed_leaves_no_tab_behind_and_its_successor_is_used() {
    let mut stage = Stage::on(PAGE);
    let former = stage.tab;
    stage.chromium.process.signal(Signal::KILL);
    stage.chromium.process.ended();
    // The profile's lock names a process that is gone.
    stage.chromium = Chromium::start(&stage.home);
    let reply = stage.call("get_page_text", json!({}));
    assert!(reply.is_refusal() && reply.text.contains("tab"), "{reply:?}");
    stage.tab = stage.client.open_page(&stage.site.url("/"));
    assert_ne!(stage.tab, former);
    stage.click("Press");
    stage.site.await_said("clicked");
}
