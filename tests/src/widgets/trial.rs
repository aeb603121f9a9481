//! Runs tasks one after another in one tab and lets each page judge, by the last that it reported and by what it reports when left.

use super::agent::Agent;
use super::puzzle::Puzzle;
use super::task::{Step, Task};
use crate::chromium::Chromium;
use crate::client::Client;
use crate::home::Home;
use crate::site::Site;
use crate::wait::within_time;
use serde_json::{Value, json};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a page has for reporting what it was brought to.
const REPORT: Duration = Duration::from_secs(5);

/// The parts end in this order.
#[derive(Debug)]
pub struct Trial {
    client: Client,
    chromium: Chromium,
    site: Site,
    _home: Home,
    tab: i64,
    runs: usize,
    pub failures: Vec<String>,
}

impl Trial {
    /// A browser on a site of the prepared pages.
    #[must_use]
    pub fn on(pages: &Path) -> Self {
        let home = Home::new();
        let chromium = Chromium::start(&home);
        let site = Site::new();
        site.folder(pages);
        let mut client = Client::connected(&home);
        let tab = client.open_tab();
        Self { client, chromium, site, _home: home, tab, runs: 0, failures: Vec::new() }
    }

    /// Does a task on a page.
    pub fn task(&mut self, page: &str, task: &Task) {
        self.run(&task.name, page, &task.expected, |_| Ok(task.steps.clone()));
    }

    /// Does a puzzle by the words that its page shows.
    pub fn puzzle(&mut self, puzzle: &Puzzle, seed: u32) {
        let page = format!("/miniwob/miniwob/{}.html?seed={seed}", puzzle.page);
        let name = format!("{} of seed {seed}", puzzle.page);
        let solved = json!({"done": true, "reward": 1});
        self.run(&name, &page, &solved, |agent| {
            agent.take(&Step::read("click * \"START\"")?)?;
            puzzle.steps(&agent.call("get_page_text", json!({})).text)
        });
    }

    fn run(
        &mut self,
        name: &str,
        page: &str,
        expected: &Value,
        steps: impl FnOnce(&mut Agent<'_>) -> Result<Vec<Step>, String>,
    ) {
        let started = Instant::now();
        self.runs += 1;
        let run = self.runs;
        let mark = if page.contains('?') { '&' } else { '?' };
        let url = self.site.url(&format!("{page}{mark}run={run}"));
        let judge = &mut self.chromium.judge;
        let mut agent = Agent { client: &mut self.client, judge, tab: self.tab, trail: Vec::new() };
        let opened = agent.call("navigate", json!({"url": url}));
        let ended = if opened.is_success() {
            steps(&mut agent).and_then(|steps| steps.iter().try_for_each(|step| agent.take(step)))
        } else {
            Err("the page did not open".to_owned())
        };
        let trail = std::mem::take(&mut agent.trail);
        let ended = ended.and_then(|()| self.judged(run, expected));
        let took = started.elapsed().as_millis();
        match ended {
            Ok(()) => eprintln!("{took:>6} ms  {name}"),
            Err(why) => {
                eprintln!("{took:>6} ms  {name}: FAILED");
                let last = self.site.said(&format!("state {run}")).pop();
                let trail = trail[trail.len().saturating_sub(8)..].join("\n  ");
                let state = last.unwrap_or_default();
                self.failures.push(format!(
                    "{name}: {why}\n  wanted {expected}\n  page   {state}\n  {trail}"
                ));
            }
        }
    }

    /// Whether the page reports the state, and reports it still as it is left.
    fn judged(&mut self, run: usize, expected: &Value) -> Result<(), String> {
        let last = |site: &Site, what: &str| site.said(&format!("{what} {run}")).pop();
        let reached =
            within_time(REPORT, || (last(&self.site, "state")? == *expected).then_some(()));
        reached.ok_or("the page was not brought to the state")?;
        self.client
            .call("navigate", json!({"tabId": self.tab, "url": self.site.url("/rest.html")}));
        let left = within_time(REPORT, || last(&self.site, "left"));
        match left {
            Some(state) if state == *expected => Ok(()),
            state => Err(format!("the state did not last: {state:?}")),
        }
    }
}
