//! `javascript_tool` against a browser that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{Dialog, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::FaultCode;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Answers = Vec<Result<Value, RequestFault>>;

/// Runs `text`; each command that runs code gets the next of `answers`. Gives the commands too.
fn script(text: &str, answers: Answers) -> (Result<Reply, Failure>, Vec<Value>) {
    let log: Rc<RefCell<Vec<Value>>> = Rc::default();
    let sent = Rc::clone(&log);
    let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
    let inner = Rc::clone(&browser);
    let mut answers = answers.into_iter();
    let scripted = Scripted::new(move |method, params, effect| {
        if method != "cdp" || params["method"] == "Runtime.releaseObjectGroup" {
            return Ok(json!({ "value": { "settled": true } }));
        }
        assert!(effect && params["boundMs"].as_u64() > Some(0));
        sent.borrow_mut().push(params.clone());
        let answer = answers.next().unwrap();
        if answer.as_ref().is_err_and(|fault| fault.code == FaultCode::DialogOpen) {
            let dialog = Dialog { kind: "confirm".into(), message: "EVIL".into(), default: None };
            let browser = inner.borrow();
            browser.as_ref().unwrap().event(7, TabEvent::Dialog(Some(dialog)));
        }
        answer.map(|result| json!({ "result": result }))
    });
    *browser.borrow_mut() = Some(Rc::clone(&scripted));
    let arguments = json!({"action": "javascript_exec", "text": text, "timeout_ms": 1000});
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let call = Call { arguments, target: Target::Tab(scripted.tab(7)) };
    let reply = async_io::block_on((ROW.run)(call));
    let log = log.borrow().clone();
    (reply, log)
}

fn fault(code: FaultCode, sent: bool, detail: Value) -> RequestFault {
    RequestFault { sent, detail: Some(detail), ..RequestFault::unsent(code, "") }
}

#[test]
fn a_value_comes_back_and_a_quiet_page_adds_nothing() {
    let answer = json!({"result": {"type": "number", "value": 3}});
    let (reply, log) = script("1 + 2", vec![Ok(answer)]);
    assert_eq!(reply.unwrap().parts.len(), 2);
    assert_eq!(log[0]["params"]["expression"], "1 + 2");
}

#[test]
fn an_object_is_described_and_a_promise_awaited_first() {
    let object = json!({"result": {"type": "object", "objectId": "2"}});
    let (reply, log) = script(
        "load()",
        vec![
            Ok(json!({"result": {"type": "object", "subtype": "promise", "objectId": "1"}})),
            Ok(object),
            Ok(json!({"result": {"type": "object", "value": {"text": "{\"a\":1}", "cut": false}}})),
        ],
    );
    assert!(format!("{:?}", reply.unwrap().parts).contains(r#"{\"a\":1}"#));
    let ids: Vec<_> = log[1..].iter().map(|sent| sent["params"]["objectId"].clone()).collect();
    assert_eq!(ids, ["1", "2"]);
}

#[test]
fn a_promise_that_cannot_be_awaited_does_not_undo_its_script() {
    let promise = json!({"result": {"type": "object", "subtype": "promise", "objectId": "1"}});
    let (reply, _) =
        script("act()", vec![Ok(promise), Err(fault(FaultCode::Paused, false, json!({})))]);
    let failure = reply.unwrap_err();
    assert!(failure.own.contains("already been done"), "{}", failure.own);
}

#[test]
fn a_top_level_return_is_sent_again_as_a_function_and_nothing_else_is() {
    let illegal = json!({"exceptionDetails": {"text": "Uncaught", "lineNumber": 0,
        "exception": {"className": "SyntaxError", "description": "SyntaxError: Illegal return statement"}}});
    let number = json!({"result": {"type": "number", "value": 5}});
    let (reply, log) = script("return 5 // five", vec![Ok(illegal), Ok(number)]);
    reply.unwrap();
    assert_eq!(log[1]["params"]["expression"], "(async () => {return 5 // five\n})()");
    let mut thrown = json!({"exceptionDetails": {"text": "Uncaught", "stackTrace": {"callFrames": []},
        "exception": {"className": "Error", "description": "EVIL"}}});
    let (reply, log) = script("f()", vec![Ok(thrown.take())]);
    let failure = reply.unwrap_err();
    assert_eq!((failure.disposition, log.len()), (Disposition::ToolFailure, 1));
    assert!(failure.page.unwrap().1.contains("EVIL"));
}

#[test]
fn each_early_end_names_its_cause_and_never_invites_to_repeat() {
    let terminated = RequestFault {
        message: "Execution was terminated".into(),
        ..fault(FaultCode::Cdp, true, json!({}))
    };
    let cases = [
        (
            fault(FaultCode::Timeout, true, json!({"stopped": true})),
            "was stopped",
            Disposition::ToolFailure,
        ),
        (
            fault(FaultCode::Timeout, true, json!({"stopped": false})),
            "still waits",
            Disposition::ToolFailure,
        ),
        (terminated, "was stopped", Disposition::ToolFailure),
        (fault(FaultCode::DialogOpen, true, json!({})), "(confirm)", Disposition::ToolFailure),
        (
            fault(FaultCode::StaleDocument, false, json!({})),
            "Retry: safe",
            Disposition::ToolFailure,
        ),
        (
            fault(FaultCode::Cancelled, true, json!({})),
            "already been done",
            Disposition::ToolFailure,
        ),
        (
            RequestFault::lost(FaultCode::Timeout, "", true),
            "Retry: do not retry",
            Disposition::OutcomeUnknown,
        ),
    ];
    for (fault, words, disposition) in cases {
        let sent = fault.sent;
        let (reply, log) = script("f()", vec![Err(fault)]);
        let failure = reply.unwrap_err();
        assert!(
            failure.own.contains(words) && failure.own.contains("Next step: "),
            "{}",
            failure.own
        );
        assert_eq!((failure.disposition, log.len()), (disposition, 1), "{words}");
        assert!(!sent || !failure.own.contains("Retry: safe"), "{}", failure.own);
        assert!(!failure.own.contains("EVIL"));
    }
}

#[test]
fn a_page_that_goes_away_under_the_script_is_no_failure() {
    let (reply, _) =
        script("location.reload()", vec![Err(fault(FaultCode::StaleDocument, true, json!({})))]);
    assert!(format!("{:?}", reply.unwrap().parts).contains("its value is lost"));
}

#[test]
fn what_is_no_script_is_not_sent() {
    for (action, text) in [("run", "1"), ("javascript_exec", " \n")] {
        let browser = Scripted::new(|_, _, _| panic!("asked"));
        let arguments = json!({"action": action, "text": text});
        let Value::Object(arguments) = arguments else { panic!("not an object") };
        let call = Call { arguments, target: Target::Tab(browser.tab(7)) };
        let failure = async_io::block_on((ROW.run)(call)).unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched);
        assert!(failure.own.contains("Retry: safe, with"));
    }
}
