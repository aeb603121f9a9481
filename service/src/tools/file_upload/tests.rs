//! `file_upload` against a page that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{RequestFault, TabEvent};
use crate::tool::{Call, Failure, Part, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Log = Rc<RefCell<Vec<Value>>>;

/// What the page is: an input, or a button with or without one behind it; and what it says to the files.
struct Page {
    input: Option<u64>,
    asks: bool,
    answer: Result<Value, RequestFault>,
}

fn taken() -> Result<Value, RequestFault> {
    let held = json!([{"name": "a\n.txt", "size": 1}]);
    Ok(json!({ "held": held, "after": held }))
}

fn says(code: &str) -> Result<Value, RequestFault> {
    let mut fault = RequestFault::unsent(FaultCode::Page, code);
    fault.detail = Some(json!({ "expected": ".png" }));
    Err(fault)
}

fn upload(page: Page, arguments: Value) -> (Result<Reply, Failure>, Log) {
    let log: Log = Rc::default();
    let sent = Rc::clone(&log);
    let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
    let inner = Rc::clone(&browser);
    let scripted = Scripted::new(move |method, params, effect| {
        if method == "cdp.seq" {
            if page.asks {
                let (frame_id, backend_node_id) = ("F".into(), 55);
                let chooser = TabEvent::Chooser { frame_id, backend_node_id };
                inner.borrow().clone().unwrap().event(7, chooser);
            }
            return Ok(json!({ "done": 3 }));
        }
        if effect {
            sent.borrow_mut().push(params.clone());
            return page.answer.clone().map(|value| json!({ "value": value }));
        }
        let value = match params["fn"].as_str() {
            Some("fileTarget") => json!({ "key": page.input }),
            Some("outcome") => json!({ "hit": "verified", "settled": true }),
            Some("prepare") => json!({ "root": { "x": 1, "y": 1 } }),
            _ => json!({}),
        };
        Ok(json!({ "value": value }))
    });
    *browser.borrow_mut() = Some(Rc::clone(&scripted));
    let tab = scripted.tab(7);
    let doc = Doc { frame_id: "F".into(), loader_id: "A".into(), ..Doc::default() };
    scripted.event(7, TabEvent::Document { doc, main: true, same_document: false });
    tab.memory().borrow_mut().refs.number("F", "A", 3);
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let reply = async_io::block_on((ROW.run)(Call { arguments, target: Target::Tab(tab) }));
    (reply, log)
}

fn one() -> Value {
    json!({ "ref": "ref_1", "files": [{ "data": "QQ==", "name": "a.txt" }] })
}

#[test]
fn files_go_into_the_input_or_the_one_behind_the_button() {
    for (input, asks, target) in [(Some(9), false, json!([9])), (None, true, json!([null]))] {
        let (reply, log) = upload(Page { input, asks, answer: taken() }, one());
        let reply = reply.unwrap();
        assert_eq!(
            reply.structured.unwrap(),
            json!({ "ref": "ref_1", "files": [{"name": "a\n.txt", "size": 1}] })
        );
        let Part::Page { text, .. } = &reply.parts[1] else { panic!("{:?}", reply.parts) };
        assert!(text.starts_with("given:\nfile \"a\\n.txt\" 1 bytes\n"), "{text}");
        let log = log.borrow();
        let file = json!([{ "name": "a.txt", "type": "text/plain", "data": "QQ==" }]);
        let mut args = target;
        args.as_array_mut().unwrap().push(file);
        assert_eq!((log.len(), &log[0]["args"]), (1, &args));
        assert_eq!(log[0]["node"], if asks { json!(55) } else { Value::Null });
    }
}

#[test]
fn a_page_that_takes_the_files_away_is_told() {
    let answer = Ok(json!({ "held": [{"name": "a.txt", "size": 1}], "after": [] }));
    let (reply, _) = upload(Page { input: Some(9), asks: false, answer }, one());
    let Part::Own(text) = &reply.unwrap().parts[0].clone() else { panic!("words") };
    assert!(text.contains("may have taken them already"), "{text}");
}

#[test]
fn each_refusal_names_its_cause_and_chooses_nothing() {
    for (code, cause) in [
        ("one_file", "one file only"),
        ("folder", "whole folder"),
        ("other_kind", "other kinds"),
        ("no_file_input", "no control that takes files"),
        ("disabled", "is disabled"),
    ] {
        let (reply, _) = upload(Page { input: Some(9), asks: false, answer: says(code) }, one());
        let failure = reply.unwrap_err();
        assert!(failure.own.contains(cause) && failure.own.contains("Retry: "), "{}", failure.own);
        assert!(!failure.own.contains(".png"));
    }
    // Behind a button that was clicked for it, a refusal is no longer one that did nothing.
    for code in ["one_file", "other_kind", "disabled"] {
        let (reply, _) = upload(Page { input: None, asks: true, answer: says(code) }, one());
        let failure = reply.unwrap_err();
        assert!(failure.own.starts_with("ref_1 was clicked. "), "{}", failure.own);
        assert_eq!(failure.disposition, Disposition::ToolFailure, "{code}");
    }
    let none = Ok(json!({ "held": [], "after": [] }));
    let (reply, _) = upload(Page { input: None, asks: false, answer: none }, one());
    let failure = reply.unwrap_err();
    assert!(failure.own.contains("none was taken as dropped"), "{}", failure.own);
    assert_eq!(failure.disposition, Disposition::ToolFailure);
}

#[test]
fn what_asks_for_no_file_gets_them_dropped_once() {
    let (reply, log) = upload(Page { input: None, asks: false, answer: taken() }, one());
    let reply = reply.unwrap();
    let Part::Own(text) = &reply.parts[0] else { panic!("words") };
    assert!(text.contains("as dropped on it by a script"), "{text}");
    assert_eq!(reply.structured.unwrap()["files"][0]["size"], 1);
    assert_eq!((log.borrow().len(), &log.borrow()[0]["fn"]), (1, &json!("dropFiles")));
    let lost = RequestFault { sent: true, ..RequestFault::unsent(FaultCode::Timeout, "") };
    let (reply, _) = upload(Page { input: None, asks: false, answer: Err(lost) }, one());
    let failure = reply.unwrap_err();
    assert!(failure.own.contains("then files were dropped on it"), "{}", failure.own);
}

#[test]
fn a_path_of_this_computer_and_a_lost_reference_ask_nothing_of_the_page() {
    let file = json!([{ "data": "QQ==", "name": "a.txt" }]);
    for (arguments, cause) in [
        (json!({ "ref": "ref_1", "paths": ["/etc/passwd"] }), "`paths` is refused"),
        (json!({ "ref": "ref_1", "paths": [], "files": file }), "`paths` is refused"),
        (json!({ "ref": "ref_1" }), "needs files"),
        (json!({ "ref": "ref_9", "files": file }), "never had the reference"),
        (json!({ "ref": "ref_1", "files": [{ "data": "QQ==", "name": "../a" }] }), "no name"),
    ] {
        let (reply, log) = upload(Page { input: Some(9), asks: false, answer: taken() }, arguments);
        let failure = reply.unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched);
        assert!(failure.own.contains(cause) && failure.own.contains("Retry: "), "{}", failure.own);
        assert!(log.borrow().is_empty());
    }
}
