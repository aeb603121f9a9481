//! Whatever connection, worker or run is behind a profile, its slot keeps its promises.

mod choice;

use super::*;
use crate::browser::route::asking::NotAsked;
use crate::wire::Request;
use ghostlight_transport::browser_wire::{Events, FaultCode, Res};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::time::Duration;

const ONE: WorkspaceNumber = WorkspaceNumber(1);
const TWO: WorkspaceNumber = WorkspaceNumber(2);

struct World {
    routes: Routes<&'static str>,
    sent: Vec<(ConnectionNumber, Value)>,
    answers: Vec<(&'static str, Answered)>,
    others: Vec<String>,
}

impl World {
    fn new() -> Self {
        let mut minted = 0;
        let mint = move || {
            minted += 1;
            Some(format!("key{minted}"))
        };
        let routes = Routes::new("life".into(), Box::new(mint));
        Self { routes, sent: Vec::new(), answers: Vec::new(), others: Vec::new() }
    }

    fn take(&mut self, effects: Effects<&'static str>) {
        for effect in effects {
            match effect {
                Effect::Send { connection, frame } => {
                    self.sent.push((connection, serde_json::from_slice(&frame).unwrap()));
                }
                Effect::Settle { ticket, answer } => self.answers.push((ticket, answer)),
                other => self.others.push(format!("{other:?}")),
            }
        }
    }

    fn hello(&mut self, connection: ConnectionNumber, profile: &str, more: Value) {
        let mut hello = json!({
            "proto": {"min": 1, "max": 1}, "ext": {"version": "1"}, "browser": {"name": "B"},
            "profileId": profile, "runId": "run", "workerId": "w",
        });
        hello.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let effects = self.routes.hello(connection, serde_json::from_value(hello).unwrap());
        self.take(effects.unwrap());
    }

    /// Asks and gives the id on the wire.
    fn ask(&mut self, workspace: WorkspaceNumber, ticket: &'static str, asked: Asked) -> String {
        let (slot, method, tab, effect) = asked;
        let params = RawValue::from_string("{}".into()).unwrap();
        let request = Request { method, params, tab, effect, within: Duration::from_secs(1) };
        let (number, sent) = self.routes.ask((slot, workspace), &request, ticket).unwrap();
        self.take(vec![sent]);
        format!("life-{number}")
    }

    fn result(&mut self, connection: ConnectionNumber, result: Value) {
        let result: Res = serde_json::from_value(result).unwrap();
        let effects = self.routes.result(connection, result);
        self.take(effects);
    }

    fn events(&mut self, connection: ConnectionNumber, seq: u64, items: Value) {
        let items = serde_json::from_value(items).unwrap();
        let effects = self.routes.events(connection, Events { seq, items, dropped: 0 });
        self.take(effects);
    }

    /// A browser at connection 1 in which the workspace opened the tab 7.
    fn with_tab() -> Self {
        let mut world = Self::new();
        world.hello(1, "p", json!({}));
        let id = world.ask(ONE, "open", (1, "tab.open", None, true));
        world.result(1, json!({"id": id, "worker": "w", "ok": {"tab": {"tabId": 7}}}));
        world.answers.clear();
        world
    }

    fn owns(&self, native: i64) -> bool {
        self.routes.owned(1, ONE, native).is_some()
    }

    fn lost(&self, ticket: &str) -> Option<bool> {
        let (_, answer) = self.answers.iter().find(|(of, _)| *of == ticket)?;
        answer.as_ref().err().map(|fault| fault.lost && fault.sent)
    }
}

type Way<'a> = (&'a str, &'a dyn Fn(&mut World));
/// Slot, method, tab, effect.
type Asked = (u32, &'static str, Option<i64>, bool);
const CLICK: Asked = (1, "cdp.seq", Some(7), true);
const READ: Asked = (1, "frames", Some(7), false);

#[test]
fn a_profile_keeps_its_slot_over_connections_and_another_gets_its_own() {
    let mut world = World::new();
    world.hello(1, "p", json!({}));
    world.hello(2, "q", json!({}));
    world.hello(3, "p", json!({}));
    assert!(world.others.contains(&"Close { connection: 1 }".into()));
    world.routes.detached(1);
    assert!(world.routes.connected(1), "a late detach of the replaced connection is harmless");
    world.routes.detached(3);
    assert!(!world.routes.connected(1) && world.routes.connected(2));
    assert_eq!(world.routes.bind(ONE, None), Ok(Some(2)));
}

#[test]
fn a_protocol_out_of_range_is_refused() {
    let mut world = World::new();
    let hello = json!({
        "proto": {"min": 2, "max": 3}, "ext": {"version": "1"}, "browser": {"name": "B"},
        "profileId": "p", "runId": "r", "workerId": "w",
    });
    let refusal = world.routes.hello(1, serde_json::from_value(hello).unwrap()).unwrap_err();
    assert_eq!(refusal.code, "protocol");
    assert!(!world.routes.any_known());
}

#[test]
fn a_result_finds_its_call_on_whatever_connection_it_comes() {
    let mut world = World::with_tab();
    let id = world.ask(ONE, "click", CLICK);
    world.routes.detached(1);
    assert!(world.answers.is_empty(), "a lost link alone ends nothing");
    world.hello(2, "p", json!({"pending": [id], "tabs": [{"key": "key1", "tabId": 7}]}));
    world.result(2, json!({"id": id, "worker": "w", "ok": {"done": 3}, "sent": true}));
    let (ticket, answer) = &world.answers[0];
    assert_eq!((*ticket, answer.as_ref().unwrap().get()), ("click", r#"{"done":3}"#));
    world.result(2, json!({"id": id, "worker": "w", "ok": {}}));
    assert_eq!(world.answers.len(), 1, "an answer counts once");
    let acks = world.sent.iter().filter(|(_, frame)| frame["t"] == "ack");
    assert_eq!(acks.count(), 3, "and is acknowledged each time");
}

#[test]
fn what_the_worker_does_not_know_is_lost_but_a_read_is_asked_once_more() {
    for worker in ["w", "w2"] {
        let mut world = World::with_tab();
        world.ask(ONE, "click", CLICK);
        let read = world.ask(ONE, "read", READ);
        world.sent.clear();
        let tabs = json!([{"key": "key1", "tabId": 7}]);
        world.hello(2, "p", json!({"workerId": worker, "tabs": tabs}));
        assert_eq!(world.lost("click"), Some(true), "an effect is never sent twice");
        let again = world.sent.iter().find(|(_, frame)| frame["t"] == "req").unwrap();
        assert_eq!((again.0, &again.1["id"]), (2, &json!(read)));
        world.hello(3, "p", json!({"workerId": worker, "tabs": tabs}));
        assert_eq!(world.lost("read"), Some(false), "and a read not three times");
        assert!(world.owns(7));
    }
}

#[test]
fn another_worker_cannot_answer_for_the_one_that_was_asked() {
    let mut world = World::with_tab();
    let id = world.ask(ONE, "click", CLICK);
    world.result(1, json!({"id": id, "worker": "other", "ok": {}}));
    world.result(1, json!({"id": "foreign-1", "worker": "w", "ok": {}}));
    assert!(world.answers.is_empty());
}

#[test]
fn another_run_of_the_browser_leaves_nothing_of_the_earlier_one() {
    let mut world = World::with_tab();
    world.ask(ONE, "click", CLICK);
    let record = world.routes.owned(1, ONE, 7).unwrap();
    world.others.clear();
    world.hello(2, "p", json!({"runId": "next"}));
    assert_eq!(world.lost("click"), Some(true));
    assert!(record.borrow().is_gone() && !world.owns(7));
    assert_eq!(world.others[..2], ["RunEnded { slot: 1 }", "TabGone { slot: 1, native: 7 }"]);
}

#[test]
fn ownership_grows_only_by_what_a_browser_was_asked_for_or_an_owned_tab_opened() {
    let mut world = World::with_tab();
    let adopted = |native: i64, key: &str, opener: Value| {
        json!([{"k": "tab", "what": "adopted", "tab": {"tabId": native}, "key": key,
            "doc": {"origin": "https://a.example"}, "openerTabId": opener}])
    };
    for (seq, native, key, opener, owned) in [
        (1, 8, "key1", json!(7), true),
        (2, 9, "key1", json!(99), false),
        (3, 10, "nokey", json!(7), false),
        (4, 11, "key1", Value::Null, true),
    ] {
        world.events(1, seq, adopted(native, key, opener));
        assert_eq!(world.owns(native), owned, "{native}");
    }
    assert!(world.others.iter().any(|other| other.contains("a.example")));
    let id = world.ask(ONE, "read", READ);
    world.result(
        1,
        json!({"id": id, "worker": "w", "ok": {"tab": {"tabId": 12}, "tabs": [{"tabId": 13}]}}),
    );
    assert!(!world.owns(12) && !world.owns(13), "ids in other answers are only text");
}

#[test]
fn a_tab_of_another_workspace_cannot_be_claimed() {
    let mut world = World::with_tab();
    let id = world.ask(TWO, "steal", (1, "tab.open", None, true));
    world.result(1, json!({"id": id, "worker": "w", "ok": {"tab": {"tabId": 7}}}));
    assert_eq!(world.answers[0].1.as_ref().unwrap_err().code, FaultCode::NotAdopted);
    let id = world.ask(TWO, "list", (1, "tab.list", None, false));
    world.result(1, json!({"id": id, "worker": "w", "ok": {"tabs": [{"tabId": 7}, {"tabId": 8}]}}));
    assert!(world.owns(7) && world.routes.owned(1, TWO, 7).is_none());
    assert!(world.routes.owned(1, TWO, 8).is_some());
}

#[test]
fn a_tab_stops_being_owned_however_it_goes() {
    let removed = |world: &mut World| {
        world.events(1, 1, json!([{"k": "tab", "what": "removed", "tabId": 7}]));
    };
    let released = |world: &mut World| {
        world.events(
            1,
            1,
            json!([{"k": "tab", "what": "released", "tabId": 7, "reason": "stopped"}]),
        );
    };
    let closed = |world: &mut World| {
        let id = world.ask(ONE, "close", (1, "tab.release", Some(7), true));
        world.result(1, json!({"id": id, "worker": "w", "ok": {}}));
    };
    let denied = |world: &mut World| {
        let id = world.ask(ONE, "read", READ);
        world.result(1, json!({"id": id, "worker": "w", "err": {"code": "tab_closed"}}));
    };
    let listed = |world: &mut World| {
        let id = world.ask(ONE, "list", (1, "tab.list", None, false));
        world.result(1, json!({"id": id, "worker": "w", "ok": {"tabs": []}}));
    };
    let absent = |world: &mut World| world.hello(2, "p", json!({}));
    let ways: [Way<'_>; 6] = [
        ("removed", &removed),
        ("released", &released),
        ("closed", &closed),
        ("denied", &denied),
        ("listed", &listed),
        ("absent", &absent),
    ];
    for (name, way) in ways {
        let mut world = World::with_tab();
        assert!(world.owns(7));
        world.others.clear();
        way(&mut world);
        assert!(!world.owns(7), "{name}");
        assert!(world.others.contains(&"TabGone { slot: 1, native: 7 }".into()), "{name}");
    }
}

#[test]
fn keys_of_no_workspace_are_released_and_tabs_with_them() {
    let mut world = World::with_tab();
    let tabs = json!([{"key": "old", "tabId": 5}, {"key": "old", "tabId": 6}, {"key": "key1", "tabId": 7}]);
    world.sent.clear();
    world.hello(2, "p", json!({"tabs": tabs}));
    let released: Vec<_> =
        world.sent.iter().map(|(_, frame)| (&frame["m"], &frame["key"])).collect();
    assert_eq!(released, [(&json!("workspace.release"), &json!("old"))]);
    world.sent.clear();
    let effects = world.routes.end_workspace(ONE);
    world.take(effects);
    assert_eq!(world.sent[0].1["key"], "key1");
    assert!(!world.owns(7));
}

#[test]
fn a_malformed_answer_is_counted_and_ends_its_call_at_once() {
    let mut world = World::with_tab();
    let id = world.ask(ONE, "click", CLICK);
    world.result(1, json!({"id": id, "worker": "w"}));
    let id = world.ask(ONE, "second", CLICK);
    let effects = world.routes.malformed(1, json!({"t": "res", "id": id}).to_string().as_bytes());
    world.take(effects);
    assert_eq!((world.lost("click"), world.lost("second")), (Some(true), Some(true)));
    let effects = world.routes.malformed(1, b"\xff{");
    world.take(effects);
    assert_eq!(world.routes.protocol_errors(), 3);
}

#[test]
fn events_count_once_and_only_from_the_connection_that_speaks_now() {
    let mut world = World::with_tab();
    let pause = json!([{"k": "control", "what": "pause", "by": "popup"}, {"k": "new", "x": 1}]);
    world.others.clear();
    world.events(1, 4, pause.clone());
    world.events(1, 4, pause.clone());
    let paused = r#"Latch { slot: 1, latch: Paused, moved: Some(("pause", "popup")) }"#;
    assert_eq!(world.others, [paused]);
    assert_eq!(world.sent.last().unwrap().1["ev"], 4);
    world.hello(2, "p", json!({"tabs": [{"key": "key1", "tabId": 7}]}));
    world.others.clear();
    world.events(1, 5, pause);
    assert!(world.others.is_empty());
}

#[test]
fn nothing_is_asked_of_a_browser_that_is_away_or_overwhelmed() {
    let mut world = World::with_tab();
    let params = RawValue::from_string("{}".into()).unwrap();
    let within = Duration::from_secs(1);
    let request = Request { method: "frames", params, tab: Some(7), effect: false, within };
    for _ in 0..ghostlight_transport::limits::BROWSER_REQUESTS {
        world.ask(ONE, "read", READ);
    }
    let refused = world.routes.ask((1, ONE), &request, "x").map(|_| ()).unwrap_err();
    assert_eq!(refused, NotAsked::Busy);
    world.routes.detached(1);
    for slot in [0, 1, 2] {
        let refused = world.routes.ask((slot, ONE), &request, "x").map(|_| ()).unwrap_err();
        assert_eq!(refused, NotAsked::Away);
    }
}

#[test]
fn what_a_watched_tab_says_and_asks_is_kept_with_it() {
    let mut world = World::with_tab();
    let request = |what: &str| {
        json!({"k": "request", "tabId": 7, "requestId": "R", "what": what, "kind": "XHR", "at": 5, "bytes": 9,
            "method": "GET", "url": "https://a.example/x", "status": 204, "headers": [["a", "b"]]})
    };
    let console = json!({"k": "console", "tabId": 7, "level": "warn", "text": "careful"});
    let chooser =
        json!({"k": "chooser", "tabId": 7, "frameId": "F", "backendNodeId": 3, "multiple": true});
    let lost = json!({"k": "lost", "tabId": 7, "console": 2, "request": 3});
    let deaf = json!({"k": "detach", "tabId": 7, "reason": "x"});
    let items =
        json!([request("start"), console, request("head"), request("done"), chooser, lost, deaf]);
    world.events(1, 1, items);
    assert_eq!(world.routes.protocol_errors(), 0);
    let record = world.routes.owned(1, ONE, 7).unwrap();
    assert_eq!(record.borrow().mark(), 1, "requests and words are no events");
    let record = record.borrow();
    let observed = record.observed.borrow();
    assert_eq!(observed.console.lines().next().unwrap().text, "careful");
    assert_eq!((observed.console.dropped, observed.network.dropped, observed.gaps), (2, 3, 1));
    let line = observed.network.lines().next().unwrap();
    assert_eq!((line.asked.url.as_str(), line.kind.as_str()), ("https://a.example/x", "XHR"));
    assert_eq!(line.head.as_ref().map(|head| head.status), Some(204));
    assert_eq!(line.after(line.ended), Some(0));
}
