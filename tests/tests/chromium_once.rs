//! A click is done at most once, wherever the line is cut, and its answer never says otherwise.

use ghostlight_tests::client::Client;
use ghostlight_tests::cut::{Cut, End};
use ghostlight_tests::demo::chance::Chance;
use ghostlight_tests::stage::Stage;
use ghostlight_tests::status::await_browser;
use ghostlight_tests::wait::{LONG, until, within_time};
use serde_json::json;
use std::time::{Duration, Instant};

const PAGE: &str =
    "<title>Count</title><button onclick=\"say('click', location.search)\">Press</button>";
/// A click takes about this long, its look at the page afterwards included.
const CLICK: Duration = Duration::from_millis(400);
/// The browser's own way from a click to the site.
const ARRIVAL: Duration = Duration::from_secs(2);

/// Cut points: `FULL=1` asks for the long run.
fn rounds() -> usize {
    if std::env::var_os("FULL").is_some_and(|full| full == "1") { 200 } else { 24 }
}

struct Round {
    name: String,
    cut: Cut,
    after: Duration,
    end: End,
    words: String,
}

fn clicks(stage: &Stage, round: &str) -> usize {
    stage.site.said("click").iter().filter(|said| **said == round).count()
}

/// A tab on a page of its own, and the button in it.
fn fresh(stage: &mut Stage, name: &str) -> String {
    let url = stage.site.url(&format!("/{name}"));
    let ready = until("a page that can be used", LONG, || {
        let opened = stage.client.call("tabs_create_mcp", json!({}));
        let tab = opened.structured["tabId"].as_i64()?;
        let gone = stage.client.call("navigate", json!({"tabId": tab, "url": url}));
        let found = stage.client.call("find", json!({"tabId": tab, "query": "Press"}));
        let first = found.elements().into_iter().next()?;
        gone.is_success().then_some((tab, first.reference))
    });
    stage.tab = ready.0;
    ready.1
}

fn play(stage: &mut Stage, number: usize, chance: &mut Chance) -> Round {
    let (name, cut) = (format!("?round={number}"), Cut::ALL[number % Cut::ALL.len()]);
    // Most of the way is short: every second cut falls into its first part.
    let most = if (number / Cut::ALL.len()).is_multiple_of(2) { CLICK / 4 } else { CLICK };
    let after = Duration::from_micros(chance.below(most.as_micros() as usize) as u64);
    let button = fresh(stage, &name);
    let arguments = json!({"action": "left_click", "ref": button, "tabId": stage.tab});
    let started = Instant::now();
    let id = stage.client.ask_tool("computer", arguments);
    let Stage { client, chromium, home, .. } = stage;
    assert!(
        cut.make(after, home, chromium, Some(&mut client.process)),
        "{cut:?} had nothing to cut"
    );
    let answer = (cut != Cut::Edge).then(|| client.answer(id));
    assert!(started.elapsed() < LONG, "{cut:?} after {after:?}: an answer after its time");
    if cut == Cut::Edge {
        *client = Client::connected(home);
    }
    let (end, words) = End::of(answer);
    if end == End::Done {
        within_time(ARRIVAL, || (clicks(stage, &name) > 0).then_some(()));
    }
    Round { name, cut, after, end, words }
}

#[test]
fn a_click_is_done_once_at_most_and_its_answer_is_true() {
    let site = ghostlight_tests::site::Site::new();
    site.page("/", PAGE);
    let mut stage = Stage::of(site);
    let (mut chance, mut rounds_played) = (Chance::new(5), Vec::new());
    for number in 0..rounds() {
        rounds_played.push(play(&mut stage, number, &mut chance));
    }
    await_browser(&stage.home);
    // What a reconnect would repeat has had its time by then: later rounds went over the same line.
    fresh(&mut stage, "?last");
    let mut ends = std::collections::BTreeMap::new();
    for Round { name, cut, after, end, words } in &rounds_played {
        let times = clicks(&stage, name);
        assert!(
            end.agrees(times),
            "{name} {cut:?} after {after:?}: {times} clicks, {end:?}: {words}"
        );
        *ends.entry((*cut, *end, times)).or_insert(0) += 1;
    }
    eprintln!("cut, end, clicks: rounds");
    ends.iter()
        .for_each(|((cut, end, times), rounds)| eprintln!("{cut:?} {end:?} {times}: {rounds}"));
}
