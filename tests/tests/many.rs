//! Many at once: clients that never meet, idle ones that cost nothing, browsers that are told apart.

use ghostlight_tests::binaries::EDGE;
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::demo::chance::Chance;
use ghostlight_tests::fake_browser::{FakeBrowser, World};
use ghostlight_tests::home::Home;
use ghostlight_tests::reply::Reply;
use ghostlight_tests::status::{connected_browsers, status};
use ghostlight_tests::wait::{LONG, until};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const CALLS: usize = 100;
const AT_ONCE: Duration = Duration::from_secs(3);

/// One client, and what it knows of the others.
struct Worker {
    client: Client,
    tabs: Vec<i64>,
    foreign_tabs: Vec<i64>,
    foreign_workspaces: Vec<String>,
    chance: Chance,
}

impl Worker {
    fn new(home: &Home, number: u64) -> Self {
        let revision = if number == 2 { Revision::July2026 } else { Revision::November2025 };
        let mut client = Client::with_workspace(home, revision);
        let tabs = (0..2).map(|_| client.open_tab()).collect();
        let (foreign_tabs, foreign_workspaces) = (Vec::new(), Vec::new());
        Self { client, tabs, foreign_tabs, foreign_workspaces, chance: Chance::new(number) }
    }

    /// A call of its own, and the same on somebody else's.
    fn work(&mut self) {
        for _ in 0..CALLS {
            let tab = self.tabs[self.chance.below(self.tabs.len())];
            let kind = self.chance.below(4);
            let reply = self.client.call(tool(kind), arguments(kind, tab));
            assert!(reply.is_success(), "{reply:?}");
            if kind == 0 {
                let listed: BTreeSet<i64> = reply.structured["tabs"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .filter_map(|tab| tab["tabId"].as_i64())
                    .collect();
                assert!(self.tabs.iter().all(|tab| listed.contains(tab)), "{reply:?}");
                assert!(self.foreign_tabs.iter().all(|tab| !listed.contains(tab)), "{reply:?}");
            }
            self.intrude(kind.max(1));
        }
    }

    fn intrude(&mut self, kind: usize) {
        let foreign = self.foreign_tabs[self.chance.below(self.foreign_tabs.len())];
        let text = self.client.refused(tool(kind), arguments(kind, foreign));
        assert!(text.contains("no such tab"), "{text}");
        let Some(handle) = self.foreign_workspaces.first() else { return };
        // A handle is no argument of the 2025 revision, and one that is nearly right is none at all.
        let mut named = arguments(kind, foreign);
        let near =
            format!("{}{}", &handle[..handle.len() - 1], if handle.ends_with('0') { 1 } else { 0 });
        let tried =
            if self.client.revision == Revision::November2025 { handle.clone() } else { near };
        named["workspaceId"] = json!(tried);
        let own = self.client.workspace.take();
        let reply = self.client.call(tool(kind), named);
        self.client.workspace = own;
        assert!(!reply.is_success(), "{reply:?}");
    }
}

fn tool(kind: usize) -> &'static str {
    ["tabs_context_mcp", "navigate", "computer", "computer"][kind]
}

fn arguments(kind: usize, tab: i64) -> Value {
    match kind {
        0 => json!({}),
        1 => json!({"tabId": tab, "url": format!("http://{tab}.test/")}),
        2 => json!({"tabId": tab, "action": "screenshot"}),
        _ => json!({"tabId": tab, "action": "key", "text": "Tab"}),
    }
}

#[test]
fn three_clients_with_calls_of_all_kinds_never_meet() {
    let home = Home::new();
    let browser = FakeBrowser::start(&home);
    let mut workers: Vec<_> = (0..3).map(|number| Worker::new(&home, number)).collect();
    let handle = workers[2].client.workspace.clone().expect("a handle of 2026");
    for at in 0..3 {
        let foreign = workers.iter().enumerate().filter(|(other, _)| *other != at);
        workers[at].foreign_tabs = foreign.flat_map(|(_, worker)| worker.tabs.clone()).collect();
        workers[at].foreign_workspaces = vec![handle.clone()];
    }
    std::thread::scope(|scope| {
        for worker in &mut workers {
            scope.spawn(move || worker.work());
        }
    });
    let world = browser.world();
    let mut keys: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for request in &world.requests {
        let key = request["key"].as_str().unwrap_or_default().to_owned();
        assert!(!request.to_string().contains(&handle), "a handle reached the browser: {request}");
        let Some(tab) = request["p"]["tabId"].as_i64() else { continue };
        assert_eq!(world.tabs[&tab].key, key, "under another's key: {request}");
        keys.entry(key).or_default().insert(tab);
    }
    // One client name, three workspaces: told apart down to the browser.
    assert_eq!(keys.len(), 3, "{keys:?}");
    let urls: Vec<_> = world.tabs.values().filter(|tab| tab.url != "about:blank").collect();
    assert!(urls.iter().all(|tab| tab.url.contains(&format!("{}.test", tab.native + (1 << 32)))));
}

/// Processor time that processes have used so far, in the kernel's ticks.
fn ticks(pids: &[u32]) -> u64 {
    let of = |pid: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields: Vec<u64> = stat
            .rsplit(") ")
            .next()
            .unwrap_or_default()
            .split(' ')
            .filter_map(|field| field.parse().ok())
            .collect();
        // After the name and the state: ten numbers, then user and system time.
        fields.get(10).unwrap_or(&0) + fields.get(11).unwrap_or(&0)
    };
    pids.iter().map(of).sum()
}

#[test]
fn two_hundred_idle_clients_cost_one_that_works_nothing() {
    const IDLE: usize = 200;
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut idle: Vec<_> = (0..IDLE).map(|_| Client::connected(&home)).collect();
    for client in &mut idle {
        client.request("tools/list", json!({}));
    }
    let resting = home.running(EDGE);
    let mut working = Client::connected(&home);
    let tab = working.open_tab();
    assert_eq!(status(&home).expect("it runs")["live_edges"], IDLE + 1);
    let (before, started) = (ticks(&resting), Instant::now());
    for _ in 0..50 {
        working.succeed("computer", json!({"tabId": tab, "action": "screenshot"}));
    }
    assert!(started.elapsed() < LONG / 2, "50 calls took {:?}", started.elapsed());
    assert!(ticks(&resting) - before <= 2, "the idle ones used {} ticks", ticks(&resting) - before);
    drop(idle);
}

/// The names that a question back offers.
fn offered(reply: &Reply) -> Vec<String> {
    let words = reply.words();
    let list = words.split_once("connected: ").and_then(|(_, rest)| rest.split_once('.'));
    let (list, _) = list.unwrap_or_else(|| panic!("no list in {words}"));
    list.split(", ").map(str::to_owned).collect()
}

fn opened(browser: &FakeBrowser) -> usize {
    browser.requests("tab.open").len()
}

#[test]
fn between_two_browsers_a_client_is_asked_and_its_choice_stays() {
    let home = Home::new();
    let mut first = FakeBrowser::launch(&home, World::of_profile("aaaa-1"));
    first.await_welcome();
    let mut early = Client::connected(&home);
    assert!(!early.succeed("tabs_create_mcp", json!({})).text.contains("Browser:"));
    let second = FakeBrowser::launch(&home, World::of_profile("bbbb-2"));
    second.await_welcome();
    assert_eq!(connected_browsers(&home).len(), 2);
    // Whoever was there before stays where it is, and is told where that is.
    let again = early.succeed("tabs_create_mcp", json!({}));
    assert!(again.text.contains("Browser: Fake aaaa."), "{}", again.text);
    assert_eq!(again.structured["browser"], "Fake aaaa");
    for revision in [Revision::November2025, Revision::July2026] {
        let mut late = Client::start(&home, revision);
        if revision == Revision::November2025 {
            late.initialize();
        }
        let before = (
            opened(&first),
            opened(&second),
            status(&home).expect("it runs")["workspaces"].clone(),
        );
        let asked = late.call("tabs_create_mcp", json!({}));
        assert!(asked.is_refusal() && asked.text.contains("ask the person"), "{asked:?}");
        assert_eq!(offered(&asked), ["Fake aaaa", "Fake bbbb"]);
        assert_eq!((opened(&first), opened(&second)), (before.0, before.1), "a guess");
        if revision == Revision::July2026 {
            assert_eq!(
                status(&home).expect("it runs")["workspaces"],
                before.2,
                "nothing is made for a question"
            );
        }
        let chosen = late.succeed("tabs_create_mcp", json!({"browser": "fake BBBB"}));
        late.workspace = chosen.structured["workspaceId"].as_str().map(str::to_owned);
        assert_eq!(chosen.tab_id() >> 32, 2);
        assert_eq!(late.succeed("tabs_create_mcp", json!({})).structured["browser"], "Fake bbbb");
        let other = late.refused("tabs_create_mcp", json!({"browser": "Fake aaaa"}));
        assert!(other.contains("has its tabs in Fake bbbb"), "{other}");
        let nobody = late.refused("tabs_context_mcp", json!({"browser": "Fake cccc"}));
        assert!(nobody.contains("No connected browser"), "{nobody}");
        assert_eq!(opened(&first), before.0);
    }
    let before = opened(&second);
    first.connector.kill();
    until("one browser", LONG, || (connected_browsers(&home).len() == 1).then_some(()));
    let away = early.refused("tabs_create_mcp", json!({}));
    assert!(
        away.contains("is away now") && away.contains("Connected instead: Fake bbbb"),
        "{away}"
    );
    assert_eq!(opened(&second), before, "another browser is no replacement");
    let _back = FakeBrowser::launch(&home, World::of_profile("aaaa-1"));
    assert_eq!(early.open_tab() >> 32, 1);
}

#[test]
fn a_workspace_ends_soon_after_its_last_tab_was_closed() {
    let home = Home::new().with("GHOSTLIGHT_LOWER", "workspace_empty=300");
    let browser = FakeBrowser::start(&home);
    let mut client = Client::with_workspace(&home, Revision::July2026);
    let mut other = Client::with_workspace(&home, Revision::July2026);
    let natives: Vec<i64> = browser.world().tabs.keys().copied().collect();
    browser.close_tab(natives[0]);
    let started = Instant::now();
    until("the end of the empty workspace", LONG, || {
        (status(&home)?["workspaces"] == 1).then_some(())
    });
    assert!(started.elapsed() < AT_ONCE, "{:?}", started.elapsed());
    let lost = client.call("tabs_create_mcp", json!({}));
    assert!(lost.words().contains("no workspace of yours that is alive"), "{lost:?}");
    other.succeed("tabs_context_mcp", json!({}));
}
