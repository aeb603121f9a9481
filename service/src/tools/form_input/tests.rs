//! `form_input` against a page agent that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{RequestFault, TabEvent};
use crate::tool::{Call, Failure, Part, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use ghostlight_transport::limits::INSERTED_CHARS;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Log = Rc<RefCell<Vec<String>>>;

/// Sets ref_1 to `value`; `agent` answers the page agent's functions.
fn set(
    value: Value,
    agent: impl Fn(&str) -> Result<Value, RequestFault> + 'static,
) -> (Result<Reply, Failure>, Vec<String>) {
    set_by(value, all, agent)
}

fn all(count: usize) -> Value {
    json!({ "done": count })
}

/// The same; `ended` says how far so many steps of input got.
fn set_by(
    value: Value,
    ended: fn(usize) -> Value,
    agent: impl Fn(&str) -> Result<Value, RequestFault> + 'static,
) -> (Result<Reply, Failure>, Vec<String>) {
    set_with(value, ended, move |function| match function {
        "prepare" => Ok(json!({ "root": { "x": 1, "y": 2, "frames": 0 } })),
        other => agent(other),
    })
}

fn set_with(
    value: Value,
    ended: fn(usize) -> Value,
    agent: impl Fn(&str) -> Result<Value, RequestFault> + 'static,
) -> (Result<Reply, Failure>, Vec<String>) {
    let log: Log = Rc::default();
    let sent = Rc::clone(&log);
    let browser = Scripted::new(move |method, params, effect| {
        if method == "cdp.seq" {
            let steps = params["steps"].as_array().unwrap();
            sent.borrow_mut().push(
                steps
                    .iter()
                    .map(|step| step["method"].as_str().unwrap())
                    .collect::<Vec<_>>()
                    .join("+"),
            );
            return Ok(ended(steps.len()));
        }
        let Some(function) = params["fn"].as_str() else {
            return Ok(json!({}));
        };
        sent.borrow_mut().push(format!("{function}{}", if effect { "!" } else { "" }));
        let value = match function {
            "arm" | "disarm" => json!({}),
            "outcome" => json!({ "settled": true, "hit": "verified" }),
            other => agent(other)?,
        };
        Ok(json!({ "value": value }))
    });
    let tab = browser.tab(7);
    let doc = Doc {
        loader_id: "A".into(),
        frame_id: "F".into(),
        origin: "https://a.example".into(),
        ..Doc::default()
    };
    browser.event(7, TabEvent::Document { doc, main: true, same_document: false });
    tab.memory().borrow_mut().refs.number("F", "A", 5);
    let Value::Object(arguments) = json!({ "ref": "ref_1", "value": value, "tabId": 1 }) else {
        panic!("not an object")
    };
    let reply = async_io::block_on((ROW.run)(Call { arguments, target: Target::Tab(tab) }));
    let log = log.borrow().clone();
    (reply, log)
}

#[test]
fn text_goes_in_by_real_input_and_is_read_back() {
    let (reply, log) = set(json!("new"), |function| {
        Ok(match function {
            "setValue" => json!({ "kind": "text", "key": 5 }),
            _ => json!({ "matches": true, "value": "new" }),
        })
    });
    assert_eq!(
        reply.unwrap().structured.unwrap(),
        json!({"ref": "ref_1", "changed": true, "value": "new"})
    );
    let steps =
        ["arm", "setValue!", "Input.insertText", "readBack", "commit!", "outcome", "disarm"];
    assert_eq!(log, steps);
}

#[test]
fn a_field_that_keeps_another_value_is_a_failure() {
    let (reply, log) = set(json!("abc"), |function| {
        Ok(match function {
            "setValue" => json!({ "kind": "text", "key": 5 }),
            _ => json!({ "matches": false, "value": "ABC" }),
        })
    });
    let failure = reply.unwrap_err();
    assert_eq!(failure.disposition, Disposition::ToolFailure);
    assert!(failure.page.unwrap().1.contains("\"ABC\""));
    assert_eq!(log.last().unwrap(), "disarm", "nothing watches the page any more: {log:?}");
}

#[test]
fn a_secret_is_never_told() {
    let (reply, _) = set(json!("hunter2"), |function| {
        Ok(match function {
            "setValue" => json!({ "kind": "text", "key": 5, "secret": true }),
            _ => json!({ "matches": true, "secret": true, "filled": true }),
        })
    });
    let reply = reply.unwrap();
    assert!(!format!("{reply:?}").contains("hunter2"));
    assert_eq!(reply.structured.unwrap(), json!({"ref": "ref_1", "changed": true}));
}

#[test]
fn a_switch_is_clicked_only_when_it_must_be() {
    let (reply, log) = set(json!(true), |function| {
        Ok(match function {
            "setValue" => json!({ "kind": "toggle", "key": 5, "act": true, "wanted": true }),
            _ => json!({ "matches": true, "state": true }),
        })
    });
    assert_eq!(reply.unwrap().structured.unwrap()["value"], "true");
    assert!(log.iter().any(|line| line.starts_with("Input.dispatchMouseEvent+")), "{log:?}");
    let (reply, log) = set(json!(true), |_| {
        Ok(json!({ "kind": "toggle", "key": 5, "act": false, "wanted": true }))
    });
    assert_eq!(reply.unwrap().structured.unwrap()["changed"], false);
    assert!(!log.iter().any(|line| line.starts_with("Input.")), "{log:?}");
}

#[test]
fn a_switch_that_may_have_been_pressed_by_script_is_not_to_be_pressed_again() {
    for (fault, disposition) in [
        (RequestFault::unsent(FaultCode::Page, "disabled"), Disposition::NotDispatched),
        (RequestFault::lost(FaultCode::Timeout, "", true), Disposition::OutcomeUnknown),
        (
            RequestFault { sent: true, ..RequestFault::unsent(FaultCode::DialogOpen, "") },
            Disposition::ToolFailure,
        ),
    ] {
        let (reply, log) = set_with(json!(true), all, move |function| match function {
            "setValue" => Ok(json!({ "kind": "toggle", "key": 5, "act": true, "wanted": true })),
            "prepare" => Err(RequestFault::unsent(FaultCode::Page, "disabled")),
            _ => Err(fault.clone()),
        });
        assert!(log.contains(&"press!".to_owned()), "{log:?}");
        let failure = reply.unwrap_err();
        assert_eq!(failure.disposition, disposition, "{}", failure.own);
        let again = failure.own.contains("Retry: safe");
        assert!(!again || disposition != Disposition::OutcomeUnknown, "{}", failure.own);
    }
}

#[test]
fn a_refusal_changes_nothing_and_says_what_fits() {
    let (reply, log) = set(json!("XL"), |_| {
        let mut fault = RequestFault::unsent(FaultCode::Page, "no_such_option");
        fault.detail = Some(json!({ "options": ["S", "M"] }));
        fault.sent = true;
        Err(fault)
    });
    let failure = reply.unwrap_err();
    assert_eq!(failure.disposition, Disposition::NotDispatched);
    assert_eq!(failure.page.unwrap().1, "options: \"S\", \"M\"");
    assert_eq!(log, ["arm", "setValue!", "disarm"]);
}

#[test]
fn numbers_are_written_as_people_write_them() {
    for (given, expected) in [
        (json!(12), "12"),
        (json!(12.0), "12"),
        (json!(0.5), "0.5"),
        (json!(-3), "-3"),
        (json!(true), "true"),
        (json!("x"), "x"),
    ] {
        assert_eq!(super::plain(&given), expected);
    }
    assert_eq!(super::replacing("").len(), 2);
}

fn fault(code: FaultCode, sent: bool) -> RequestFault {
    RequestFault { sent, ..RequestFault::unsent(code, "") }
}

#[test]
fn input_that_the_page_cut_short_is_never_told_as_set() {
    let by_dialog = |_| json!({ "done": 1, "stopped": { "reason": "dialog" } });
    let by_document = |_| json!({ "done": 1, "stopped": { "reason": "stale_document" } });
    let other = json!({ "matches": false, "value": "xx" });
    type Case = (fn(usize) -> Value, Result<Value, RequestFault>, &'static str);
    let cases: [Case; 3] = [
        (by_dialog, Err(fault(FaultCode::DialogOpen, false)), "the dialog tool"),
        (by_document, Err(fault(FaultCode::StaleDocument, false)), "left the page"),
        (by_dialog, Ok(other), "holds another value"),
    ];
    for (ended, back, words) in cases {
        let long = "x".repeat(2 * INSERTED_CHARS + 1);
        let (reply, _) = set_by(json!(long), ended, move |function| match function {
            "setValue" => Ok(json!({ "kind": "text", "key": 5 })),
            _ => back.clone(),
        });
        let own = reply.unwrap_err().own;
        assert!(own.contains("cut short by what the page did: 1 of 3 steps"), "{own}");
        assert!(own.contains(words) && own.contains("Retry: do not repeat it"), "{own}");
        assert!(!own.contains("was set") && !own.contains("took the input"), "{own}");
    }
}

#[test]
fn a_value_that_cannot_be_read_back_is_never_told_as_unchanged() {
    for (code, words) in [
        (FaultCode::Timeout, "did not finish in time"),
        (FaultCode::Crashed, "has crashed"),
        (FaultCode::Stopped, "has stopped"),
        (FaultCode::Page, "left the page"),
        (FaultCode::DialogOpen, "A dialog of the page opened"),
    ] {
        let (reply, _) = set(json!("new"), move |function| match function {
            "setValue" => Ok(json!({ "kind": "text", "key": 5 })),
            _ => Err(RequestFault { message: "stale".into(), ..fault(code, false) }),
        });
        let failure = reply.unwrap_err();
        assert!(failure.own.starts_with("ref_1 got the input."), "{}", failure.own);
        assert!(failure.own.contains(words), "{}", failure.own);
        assert_eq!(failure.disposition, Disposition::ToolFailure, "{code:?}");
        for promise in ["Nothing was", "No input was", "Retry: safe"] {
            assert!(!failure.own.contains(promise), "{}", failure.own);
        }
    }
}

#[test]
fn a_change_that_the_page_was_not_told_of_is_not_told_as_done() {
    let answered = |heard: RequestFault| {
        let (reply, _) = set(json!("new"), move |function| match function {
            "setValue" => Ok(json!({ "kind": "text", "key": 5 })),
            "commit" => Err(heard.clone()),
            _ => Ok(json!({ "matches": true, "value": "new" })),
        });
        reply
    };
    for (heard, told, cause) in [
        (fault(FaultCode::Paused, false), "was not told of the change", "has paused"),
        (fault(FaultCode::Cancelled, false), "was not told of the change", "was cancelled"),
        (fault(FaultCode::StaleDocument, false), "was not told of the change", "was replaced"),
        (
            RequestFault::lost(FaultCode::Internal, "away", false),
            "was not told of the change",
            "reported an error",
        ),
        (fault(FaultCode::Page, true), "is not known", "reported an error"),
        (fault(FaultCode::Timeout, true), "is not known", "did not finish in time"),
    ] {
        let failure = answered(heard).unwrap_err();
        assert!(failure.own.contains(told) && failure.own.contains(cause), "{}", failure.own);
        assert_eq!(failure.disposition, Disposition::ToolFailure, "{}", failure.own);
        assert!(failure.own.contains("Retry: do not simply repeat it"), "{}", failure.own);
        assert!(!failure.own.contains("Nothing was"), "{}", failure.own);
    }
    let lost = RequestFault::lost(FaultCode::Timeout, "", true);
    assert_eq!(answered(lost).unwrap_err().disposition, Disposition::OutcomeUnknown);
    // It heard of the change, and something came of that.
    for code in [FaultCode::StaleDocument, FaultCode::DialogOpen, FaultCode::TabClosed] {
        let reply = answered(fault(code, true)).unwrap();
        let Part::Own(own) = &reply.parts[0] else { panic!("{:?}", reply.parts) };
        assert!(own.contains("was set and held the value; what it holds since"), "{own}");
        assert_eq!(reply.structured.unwrap(), json!({"ref": "ref_1", "changed": true}));
    }
}
