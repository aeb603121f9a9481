//! Whatever comes first, goes or returns: the next call works, or says in its time what is missing.

use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::{FakeBrowser, World};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::{Process, send};
use ghostlight_tests::status::{connected_browsers, ghostlight, service_pid};
use ghostlight_tests::wait::{LONG, until};
use ghostlight_transport::admission::Endpoint;
use ghostlight_transport::endpoint::socket_name;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::os::unix::net::UnixListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// A call's own deadlines for a missing service and a missing browser, and room for a busy machine.
const ANSWER: Duration = Duration::from_secs(16);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Edge,
    Service,
    Browser,
}

const PARTS: [Part; 3] = [Part::Edge, Part::Service, Part::Browser];
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// Nothing here starts by itself.
struct Scene {
    home: Home,
    edge: Option<Client>,
    service: Option<Process>,
    browser: Option<FakeBrowser>,
}

impl Scene {
    fn new() -> Self {
        let home = Home::new().with("GHOSTLIGHT_NO_START", "1");
        Self { home, edge: None, service: None, browser: None }
    }

    fn start(&mut self, part: Part) {
        match part {
            Part::Edge => self.edge = Some(Client::start(&self.home, Revision::July2026)),
            Part::Service => {
                let mut command = self.home.command(self.home.program(SERVICE));
                self.service = Some(Process::start(command.arg("service")));
            }
            Part::Browser => {
                self.browser = Some(FakeBrowser::launch(&self.home, World::default()));
            }
        }
    }

    fn end(&mut self, part: Part) {
        match part {
            Part::Edge => self.edge = None,
            Part::Service => self.service = None,
            Part::Browser => self.browser = None,
        }
    }

    /// A call in the middle of things: answered in its time, whatever is missing.
    fn probe(&mut self, story: &str) {
        let Some(edge) = &mut self.edge else { return };
        edge.workspace = None;
        let id = edge.ask_tool("tabs_create_mcp", json!({}));
        let answer = edge.take_within(ANSWER, |message| message["id"] == id);
        let answer = answer.unwrap_or_else(|| panic!("{story}: no answer in {ANSWER:?}"));
        let words = answer.to_string();
        let works = answer["result"]["isError"] != true && answer.get("error").is_none();
        let whole = self.service.is_some() && self.browser.is_some();
        assert!(
            works || words.contains("Nothing"),
            "{story}: says not that nothing was done: {words}"
        );
        assert!(works || !whole, "{story}: {words}");
    }

    fn works(&mut self, story: &str) {
        until(&format!("{story}: a call that works"), LONG, || {
            let edge = self.edge.as_mut()?;
            edge.workspace = None;
            edge.call("tabs_create_mcp", json!({})).is_success().then_some(())
        });
    }
}

#[test]
fn every_order_of_starts_ends_with_a_working_call() {
    for order in ORDERS {
        let mut scene = Scene::new();
        let story = format!("{:?}", order.map(|index| PARTS[index]));
        for index in order {
            scene.start(PARTS[index]);
        }
        scene.works(&story);
    }
}

#[test]
fn each_part_may_go_and_return_while_the_others_stay() {
    let mut scene = Scene::new();
    PARTS.into_iter().for_each(|part| scene.start(part));
    scene.works("all there");
    for part in PARTS {
        scene.end(part);
        if part == Part::Browser {
            scene.probe("without a browser");
        }
        scene.start(part);
        scene.works(&format!("{part:?} again"));
    }
}

/// What `ghostlight doctor` finds, and whether it says how to mend what is bad.
fn doctor(home: &Home) -> String {
    let output = ghostlight(home, &["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("a report is JSON");
    let findings = report["findings"].as_array().expect("a list");
    let mended = findings.iter().all(|one| one["state"] != "bad" || one["remedy"].is_string());
    assert!(mended, "without a remedy: {report}");
    assert_eq!(output.status.success(), report["healthy"] == true, "{report}");
    findings
        .iter()
        .map(|one| {
            let (name, detail, remedy) = (&one["name"], &one["detail"], &one["remedy"]);
            format!("{}: {detail} {remedy}\n", name.as_str().unwrap_or(""))
        })
        .collect()
}

#[test]
fn doctor_explains_every_state_on_the_way() {
    let mut scene = Scene::new();
    let expect = |scene: &Scene, states: &[&str]| {
        let said = doctor(&scene.home);
        let missing: Vec<_> = states.iter().filter(|state| !said.contains(**state)).collect();
        assert!(missing.is_empty(), "{missing:?} in {said}");
    };
    expect(&scene, &["does not exist yet", "service: \"not running"]);
    scene.start(Part::Edge);
    scene.probe("an edge alone");
    expect(&scene, &["service: \"not running", "lock: \"free"]);
    scene.start(Part::Service);
    scene.probe("no browser yet");
    expect(
        &scene,
        &["lock: \"held by a service", "service: \"answers; clients 1", "none has connected"],
    );
    scene.start(Part::Browser);
    scene.works("all there");
    expect(&scene, &["browser: \"Fake 1.0 with the extension 0.0.1: running, tabs 1"]);
    let service = service_pid(&scene.home).expect("it runs");
    for (word, latch) in [("pause", "paused"), ("stop", "stopped"), ("restart", "running")] {
        let browser = scene.browser.as_ref().expect("it was started");
        browser.person(word, latch);
        until(latch, LONG, || {
            doctor(&scene.home).contains(&format!("0.0.1: {latch}")).then_some(())
        });
    }
    send(service, Signal::STOP);
    expect(&scene, &["lock: \"held by a service", "it hangs or was suspended"]);
    send(service, Signal::CONT);
    scene.end(Part::Browser);
    until("the browser missing", LONG, || connected_browsers(&scene.home).is_empty().then_some(()));
    expect(
        &scene,
        &["browser: \"Fake 1.0 with the extension 0.0.1: away; its extension connects by itself"],
    );
    scene.end(Part::Service);
    expect(&scene, &["service: \"not running", "lock: \"free"]);
}

/// Counts who knocks, and lets nobody in.
fn knocks(home: &Home, endpoint: Endpoint) -> Arc<AtomicUsize> {
    let listener = UnixListener::bind(home.state().join(socket_name(endpoint)));
    let listener = listener.expect("the state directory is ours");
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    // Ends with the test's process: nobody knocks once the home is gone.
    std::thread::spawn(move || {
        for _ in listener.incoming().map_while(Result::ok) {
            counted.fetch_add(1, Ordering::Relaxed);
        }
    });
    count
}

#[test]
fn who_finds_no_service_knocks_once_a_second_at_most() {
    const SETTLED: Duration = Duration::from_secs(4);
    const WATCHED: Duration = Duration::from_secs(6);
    let home = Home::new().with("GHOSTLIGHT_NO_START", "1");
    let mut builder = DirBuilder::new();
    builder.mode(0o700).create(home.state()).expect("the home is writable");
    let at = [Endpoint::Edge, Endpoint::Browser].map(|endpoint| knocks(&home, endpoint));
    let mut client = Client::connected(&home);
    let _browser = FakeBrowser::launch(&home, World::default());
    let call = client.ask_tool("tabs_create_mcp", json!({}));
    std::thread::sleep(SETTLED);
    let before = at.clone().map(|count| count.load(Ordering::Relaxed));
    assert!(before[1] > 0, "the connector knocks");
    std::thread::sleep(WATCHED);
    for (count, before) in at.iter().zip(before) {
        let knocks = count.load(Ordering::Relaxed) - before;
        // Whoever does not know the key is asked once more, since it may just have been replaced.
        let attempts = knocks.div_ceil(2);
        assert!(attempts as u64 <= WATCHED.as_secs() + 1, "{knocks} in {WATCHED:?}");
    }
    let answer = client.answer(call);
    assert!(answer.to_string().contains("Nothing"), "{answer}");
}

#[test]
fn a_service_and_its_successor_killed_again_and_again_leave_a_line_that_works() {
    let rounds = if std::env::var_os("FULL").is_some_and(|full| full == "1") { 100 } else { 4 };
    let home = Home::new();
    let _browser = FakeBrowser::start(&home);
    let mut client = Client::connected(&home);
    // After some early deaths starts are suspended for half a minute: then there is nothing to kill.
    let kill = |home: &Home| {
        home.running(SERVICE).into_iter().for_each(|pid| send(pid, Signal::KILL));
    };
    for round in 0..rounds {
        kill(&home);
        // Any moment of the successor's beginning.
        std::thread::sleep(Duration::from_millis(20 + round * 13 % 280));
        kill(&home);
        until(&format!("round {round}: a call that works"), LONG * 2, || {
            client.call("tabs_create_mcp", json!({})).is_success().then_some(())
        });
    }
    assert_eq!((home.running(EDGE).len(), home.running(CONNECTOR).len()), (1, 1));
}
