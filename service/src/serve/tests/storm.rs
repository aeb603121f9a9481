//! Many calls, cancels and lost links in one random order per seed: each call ends once, no effect is
//! sent twice, and no tab is acted on by two at a time.

use super::rig::*;
use ghostlight_transport::bridge::{Disposition, FromEdge, FromService};
use ghostlight_transport::handle::WorkspaceId;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

const CALLS: u64 = 100;
const TABS: i64 = 3;
/// With nothing to hear for so long, the browser does something itself.
const TURN: Duration = Duration::from_micros(300);

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// What the browser was asked, and has not answered yet.
#[derive(Default)]
struct Seen {
    effects: BTreeSet<String>,
    open: Vec<Value>,
}

impl Seen {
    fn note(&mut self, asked: Value) {
        if asked["effect"] == true {
            assert!(
                self.effects.insert(asked["id"].to_string()),
                "an effect is sent once: {asked}"
            );
        }
        // A read may be asked again under its id after a link was lost.
        self.open.retain(|open| open["id"] != asked["id"]);
        let same = |open: &&Value| open["p"]["tabId"] == asked["p"]["tabId"];
        assert_eq!(self.open.iter().find(same), None, "one call at a time on a tab");
        self.open.push(asked);
    }

    fn hello(&self) -> Value {
        let key = &self.open[0]["key"];
        let tabs: Vec<_> = (0..TABS).map(|native| json!({"key": key, "tabId": native})).collect();
        let pending: Vec<_> = self.open.iter().map(|asked| asked["id"].clone()).collect();
        json!({"tabs": tabs, "pending": pending})
    }
}

/// One turn of the browser: hears what there is, then loses its link, answers in any order, or waits.
async fn browse(service: &Service, browser: &mut Browser, seen: &mut Seen, dice: &mut Dice) {
    if let Some(frame) = browser.hear_for(TURN).await {
        if frame["t"] == "req" {
            seen.note(frame);
        }
        return;
    }
    match dice.roll(8) {
        0 if !seen.open.is_empty() => *browser = service.browser(seen.hello()).await,
        1..6 if !seen.open.is_empty() => {
            let at = dice.roll(seen.open.len() as u64) as usize;
            let asked = seen.open.swap_remove(at);
            browser.answer(&asked, json!({})).await;
        }
        _ => {}
    }
}

#[derive(Default)]
struct Ends {
    started: BTreeMap<u64, bool>,
    rejected: u64,
    completed: u64,
}

/// Hears one answer; a work may be cancelled right after it started.
async fn hear(edge: &mut Edge, ends: &mut Ends, dice: &mut Dice) {
    match edge.hear().await {
        FromService::Started { work, .. } => {
            ends.started.insert(work, false);
            if dice.roll(4) == 0 {
                edge.send(&FromEdge::Cancel { work }).await;
            }
        }
        FromService::Completed(completed) => {
            let before = ends.started.insert(completed.work, true);
            assert_eq!(before, Some(false), "a call ends once, after it has started");
            ends.completed += 1;
        }
        FromService::Rejected { .. } => ends.rejected += 1,
        other => panic!("{other:?}"),
    }
}

async fn storm(edge: &mut Edge, workspace: &WorkspaceId, dice: &mut Dice) {
    let mut ends = Ends::default();
    for _ in 0..CALLS {
        let tool = ["click", "look", "twice", "whole"][dice.roll(4) as usize];
        edge.start(tool, Some(workspace), tab(dice.roll(TABS as u64) as i64)).await;
    }
    while ends.completed + ends.rejected < CALLS {
        hear(edge, &mut ends, dice).await;
    }
    assert_eq!(ends.started.len() as u64 + ends.rejected, CALLS);
}

#[test]
fn every_call_of_a_storm_ends_once_and_no_effect_is_sent_twice() {
    for seed in 0..6 {
        with_service("", |service| async move {
            let mut browser = service.browser(json!({})).await;
            let mut edge = service.edge().await;
            let workspace = open_tab(&mut edge, &mut browser, 0).await;
            for native in 1..TABS {
                edge.start("open", Some(&workspace), json!({})).await;
                let asked = browser.asked().await;
                browser.answer(&asked, json!({"tab": {"tabId": native}})).await;
                edge.ends().await;
            }
            let service = Rc::new(service);
            let browsing = service.executor.spawn({
                let service = Rc::clone(&service);
                async move {
                    let (mut seen, mut dice) = (Seen::default(), Dice(!seed));
                    loop {
                        browse(&service, &mut browser, &mut seen, &mut dice).await;
                    }
                }
            });
            storm(&mut edge, &workspace, &mut Dice(seed)).await;
            edge.start("click", Some(&workspace), tab(0)).await;
            assert_eq!(edge.ends().await.0, Disposition::Success, "and nothing stays blocked");
            browsing.cancel().await;
            let service = Rc::into_inner(service).unwrap().again().await;
            audited_once(&service.audit());
        });
    }
}

/// Each intent has its one terminal, and each terminal its own call.
fn audited_once(lines: &[Value]) {
    let ids = |event: &str| {
        let of: Vec<_> = lines.iter().filter(|line| line["event"] == event).collect();
        let ids: BTreeSet<_> = of.iter().map(|line| line["id"].to_string()).collect();
        assert_eq!(ids.len(), of.len(), "one {event} per call");
        ids
    };
    assert!(ids("intent").is_subset(&ids("terminal")));
}
