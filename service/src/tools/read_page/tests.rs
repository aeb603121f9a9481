//! `read_page` against a page agent that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{RequestFault, TabEvent};
use crate::tool::{Call, Part, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

/// A page whose snapshot of each frame stands in `frames`; `state` is kept over calls.
fn browser(frames: Value) -> (Rc<Scripted>, Rc<RefCell<Value>>) {
    let state = Rc::new(RefCell::new(frames));
    let shown = Rc::clone(&state);
    let browser = Scripted::new(move |method, params, effect| {
        assert!(!effect);
        if method == "frames" {
            return Ok(
                json!({ "frames": [{"frameId": "F", "loaderId": "A"}, {"frameId": "G", "parentId": "F", "loaderId": "B", "url": "https://other.example/"}] }),
            );
        }
        if params["fn"] == "place" {
            return Ok(json!({ "value": 0 }));
        }
        let frame = params["frameId"].as_str().unwrap();
        assert_eq!(params["guard"]["frameId"], frame);
        match shown.borrow().get(frame) {
            Some(value) => Ok(json!({ "value": value })),
            None => Err(RequestFault::unsent(FaultCode::StaleDocument, "")),
        }
    });
    let tab = browser.tab(7);
    let doc = Doc {
        loader_id: "A".into(),
        frame_id: "F".into(),
        origin: "https://a.example".into(),
        ..Doc::default()
    };
    browser.event(7, TabEvent::Document { doc, main: true, same_document: false });
    drop(tab);
    (browser, state)
}

fn read(browser: &Rc<Scripted>, arguments: Value) -> Result<Reply, crate::tool::Failure> {
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    async_io::block_on((ROW.run)(Call { arguments, target: Target::Tab(browser.tab(7)) }))
}

fn page_text(reply: &Reply) -> String {
    reply
        .parts
        .iter()
        .find_map(|part| match part {
            Part::Page { text, .. } => Some(text.clone()),
            _ => None,
        })
        .unwrap()
}

fn own(reply: &Reply) -> String {
    let own = |part: &Part| if let Part::Own(text) = part { Some(text.clone()) } else { None };
    reply.parts.iter().filter_map(own).collect::<Vec<_>>().join("\n")
}

#[test]
fn frames_stand_where_they_are_and_references_tell_them_apart() {
    let (browser, _) = browser(json!({
        "F": {"lines": [{"depth": 0, "key": 1, "role": "button", "name": "Top"}, {"depth": 0, "key": 2, "role": "iframe", "frame": 0}, {"depth": 0, "text": "after"}]},
        "G": {"lines": [{"depth": 0, "key": 1, "role": "button", "name": "Inner"}]},
    }));
    let reply = read(&browser, json!({"tabId": 1})).unwrap();
    assert_eq!(
        page_text(&reply).lines().skip(1).collect::<Vec<_>>(),
        ["button \"Top\" [ref_1]", "iframe [ref_2]", "  button \"Inner\" [ref_3]", "\"after\"",]
    );
    assert_eq!(
        page_text(&reply),
        page_text(&read(&browser, json!({"tabId": 1})).unwrap()),
        "numbers stay"
    );
}

#[test]
fn a_cut_reading_names_how_to_go_on() {
    let (browser, _) = browser(json!({
        "F": {"lines": [{"depth": 0, "key": 1, "role": "button", "name": "Top"}], "cut": {"key": 9, "remaining": 40}, "outside": 3},
    }));
    let text = own(&read(&browser, json!({"tabId": 1, "max_chars": 10})).unwrap());
    assert!(text.contains("about 40 more elements") && text.contains("ref_id ref_2"), "{text}");
    assert!(text.contains("3 interactive elements"), "{text}");
}

#[test]
fn a_diff_tells_only_what_changed() {
    let (browser, state) = browser(
        json!({"F": {"lines": [{"depth": 0, "key": 1, "role": "button", "name": "Top"}, {"depth": 0, "text": "old"}]}}),
    );
    let first = read(&browser, json!({"tabId": 1, "diff": true})).unwrap();
    assert!(own(&first).contains("no earlier reading"));
    let same = read(&browser, json!({"tabId": 1, "diff": true})).unwrap();
    assert!(own(&same).contains("Nothing changed"));
    *state.borrow_mut() = json!({"F": {"lines": [{"depth": 0, "key": 1, "role": "button", "name": "Top", "states": {"disabled": true}}, {"depth": 0, "text": "new"}]}});
    let changed = page_text(&read(&browser, json!({"tabId": 1, "diff": true})).unwrap());
    assert_eq!(
        changed.lines().skip(1).collect::<Vec<_>>(),
        ["- \"old\"", "~ button \"Top\" [ref_1] disabled", "+ \"new\""]
    );
}

#[test]
fn a_reference_of_a_replaced_document_asks_nothing_of_the_browser() {
    let (browser, _) = browser(json!({"F": {"lines": [{"depth": 0, "key": 1, "role": "list"}]}}));
    read(&browser, json!({"tabId": 1})).unwrap();
    let doc = Doc { loader_id: "NEW".into(), frame_id: "F".into(), ..Doc::default() };
    browser.event(7, TabEvent::Document { doc, main: true, same_document: false });
    let failure = read(&browser, json!({"tabId": 1, "ref_id": "ref_1"})).unwrap_err();
    assert_eq!(failure.disposition, Disposition::NotDispatched);
    assert!(failure.own.contains("stale") && failure.own.contains("read_page"), "{}", failure.own);
    for unknown in ["ref_99", "button"] {
        let failure = read(&browser, json!({"tabId": 1, "ref_id": unknown})).unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched, "{unknown}");
    }
}
