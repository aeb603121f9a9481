//! Whatever comes first, goes or returns: the next call works, or says in its time what is missing.

use ghostlight_tests::binaries::{CONNECTOR, EDGE, SERVICE};
use ghostlight_tests::client::{Client, Revision};
use ghostlight_tests::fake_browser::{FakeBrowser, World};
use ghostlight_tests::home::Home;
use ghostlight_tests::process::{Process, send};
use ghostlight_tests::status::ghostlight;
use ghostlight_tests::wait::{LONG, until};
use rustix::process::Signal;
use serde_json::json;
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

#[test]
fn a_call_without_a_service_is_answered_in_its_time_and_doctor_says_what_is_missing() {
    let mut scene = Scene::new();
    scene.start(Part::Edge);
    scene.probe("an edge alone");
    let doctor = || {
        let said = ghostlight(&scene.home, &["doctor"]).stdout;
        String::from_utf8_lossy(&said).into_owned()
    };
    assert!(doctor().contains("not running"), "{}", doctor());
    scene.start(Part::Service);
    scene.probe("no browser yet");
    let said = String::from_utf8_lossy(&ghostlight(&scene.home, &["doctor"]).stdout).into_owned();
    assert!(said.contains("none has connected"), "{said}");
    scene.start(Part::Browser);
    scene.works("all there");
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
