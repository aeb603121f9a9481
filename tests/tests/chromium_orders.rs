//! Whatever of a real Chromium comes first or last, the extension itself included: the next call works.

use ghostlight_tests::binaries::SERVICE;
use ghostlight_tests::chromium::Chromium;
use ghostlight_tests::client::Client;
use ghostlight_tests::home::Home;
use ghostlight_tests::process::Process;
use ghostlight_tests::profile::Look;
use ghostlight_tests::site::Site;
use ghostlight_tests::wait::{LONG, until};
use serde_json::json;
use std::time::{Duration, Instant};

const PAGE: &str =
    "<title>Here</title><button onclick=\"say('clicked', location.search)\">Press</button>";
/// Each call ends by its own deadlines for a missing service and a missing browser.
const ANSWER: Duration = Duration::from_secs(16);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Edge,
    Service,
    Browser,
    Extension,
}

/// The extension cannot come before its browser.
fn orders() -> Vec<Vec<Part>> {
    let mut all: Vec<Vec<Part>> = vec![vec![Part::Browser, Part::Extension]];
    for part in [Part::Edge, Part::Service] {
        let with = |order: &Vec<Part>, at: usize| {
            let mut order = order.clone();
            order.insert(at, part);
            order
        };
        all = all
            .iter()
            .flat_map(|order| (0..=order.len()).map(|at| with(order, at)).collect::<Vec<_>>())
            .collect();
    }
    if std::env::var_os("FULL").is_some_and(|full| full == "1") {
        return all;
    }
    // The ends: extension last, browser last but one, service last, edge last.
    let few = |order: &Vec<Part>| {
        [
            [Part::Edge, Part::Service, Part::Browser, Part::Extension],
            [Part::Browser, Part::Edge, Part::Extension, Part::Service],
            [Part::Service, Part::Browser, Part::Extension, Part::Edge],
        ]
        .iter()
        .any(|kept| kept[..] == order[..])
    };
    all.into_iter().filter(few).collect()
}

/// Nothing here starts by itself.
struct Scene {
    edge: Option<Client>,
    service: Option<Process>,
    chromium: Option<Chromium>,
    home: Home,
}

impl Scene {
    fn start(&mut self, part: Part) {
        match part {
            Part::Edge => self.edge = Some(Client::connected(&self.home)),
            Part::Service => {
                let mut command = self.home.command(self.home.program(SERVICE));
                self.service = Some(Process::start(command.arg("service")));
            }
            Part::Browser => {
                let look = Look { extension: false, ..Look::default() };
                self.chromium = Some(Chromium::launch_as(&self.home, look));
            }
            Part::Extension => {
                self.chromium.as_mut().expect("a browser comes first").load_extension();
            }
        }
    }

    /// A call in the middle of things has its answer, in its time.
    fn probe(&mut self, story: &str) {
        let Some(edge) = &mut self.edge else { return };
        let (id, started) = (edge.ask_tool("tabs_create_mcp", json!({})), Instant::now());
        let answer = edge.take_within(ANSWER, |message| message["id"] == id);
        let answer = answer.unwrap_or_else(|| panic!("{story}: no answer in {ANSWER:?}"));
        let works = answer["result"]["isError"] != true && answer.get("error").is_none();
        assert!(works || answer.to_string().contains("Nothing"), "{story}: {answer}");
        eprintln!(
            "{story}: {} after {:?}",
            if works { "works" } else { "refused" },
            started.elapsed()
        );
    }
}

#[test]
fn every_order_of_edge_service_browser_and_extension_ends_with_a_click() {
    let orders = orders();
    assert!(orders.len() == 3 || orders.len() == 12, "{}", orders.len());
    for order in orders {
        let site = Site::of(PAGE);
        let home = Home::new().with("GHOSTLIGHT_NO_START", "1");
        let mut scene = Scene { edge: None, service: None, chromium: None, home };
        let story = format!("{order:?}");
        for part in order {
            scene.start(part);
            if part != Part::Edge {
                scene.probe(&format!("{story} after {part:?}"));
            }
        }
        let edge = scene.edge.as_mut().expect("every order has an edge");
        let tab = until(&format!("{story}: a call that works"), LONG, || {
            let reply = edge.call("tabs_create_mcp", json!({}));
            reply.is_success().then(|| reply.tab_id())
        });
        edge.succeed("navigate", json!({"tabId": tab, "url": site.url("/")}));
        let found = edge.succeed("find", json!({"tabId": tab, "query": "Press"}));
        let button = found.elements()[0].reference.clone();
        edge.succeed("computer", json!({"tabId": tab, "action": "left_click", "ref": button}));
        site.await_said("clicked");
    }
}
