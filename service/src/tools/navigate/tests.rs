//! `navigate` against a browser that answers as told.

use super::ROW;
use crate::tab::observed::{Asked, Head, Seen};
use crate::tab::scripted::Scripted;
use crate::tab::{Dialog, LoadState, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use serde_json::{Map, Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Log = Rc<RefCell<Vec<String>>>;

fn doc(loader: &str, url: &str) -> Doc {
    Doc {
        loader_id: loader.into(),
        frame_id: "F".into(),
        url: url.into(),
        origin: "https://a.example".into(),
        ..Doc::default()
    }
}

/// Calls `navigate`; `answer` is what `Page.navigate` and its kin give, `events` what happens before that.
fn navigate(
    arguments: Value,
    answer: Result<Value, RequestFault>,
    events: Vec<TabEvent>,
) -> (Result<Reply, Failure>, Log) {
    navigate_on(arguments, answer, events, Vec::new())
}

/// The same; `later` happens as the call waits.
fn navigate_on(
    arguments: Value,
    answer: Result<Value, RequestFault>,
    events: Vec<TabEvent>,
    later: Vec<TabEvent>,
) -> (Result<Reply, Failure>, Log) {
    let log: Log = Rc::default();
    let sent = Rc::clone(&log);
    let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
    let inner = Rc::clone(&browser);
    let mut events = Some(events);
    let scripted = Scripted::new(move |method, params, _| {
        if method == "page" {
            return Ok(json!({ "value": { "title": "T" } }));
        }
        let command = params["method"].as_str().unwrap_or(method).to_owned();
        sent.borrow_mut()
            .push(format!("{command} {}", params.get("params").unwrap_or(&Value::Null)));
        if command == "Page.getNavigationHistory" {
            return Ok(
                json!({ "result": { "currentIndex": 1, "entries": [{"id": 10}, {"id": 11}] } }),
            );
        }
        let browser = inner.borrow().clone().unwrap();
        for event in events.take().unwrap_or_default() {
            browser.event(7, event);
        }
        if command == "Page.handleJavaScriptDialog" {
            browser.event(7, TabEvent::Dialog(None));
            return Ok(json!({ "result": {} }));
        }
        answer.clone().map(|result| json!({ "result": result }))
    });
    *browser.borrow_mut() = Some(Rc::clone(&scripted));
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let tab = scripted.tab(7);
    scripted.event(
        7,
        TabEvent::Document {
            doc: doc("A", "https://a.example/"),
            main: true,
            same_document: false,
        },
    );
    let call = Call { arguments: arguments as Map<String, Value>, target: Target::Tab(tab) };
    let later = async {
        for event in later {
            futures_lite::future::yield_now().await;
            scripted.event(7, event);
        }
        std::future::pending().await
    };
    (async_io::block_on(futures_lite::future::or((ROW.run)(call), later)), log)
}

fn arrives(loader: &str, url: &str) -> Vec<TabEvent> {
    vec![
        TabEvent::Document { doc: doc(loader, url), main: true, same_document: false },
        TabEvent::Load { loader_id: loader.into(), state: LoadState::Dom },
    ]
}

#[test]
fn a_page_that_can_be_read_is_told_with_its_title() {
    let (reply, log) = navigate(
        json!({"url": "localhost:80/x", "tabId": 1}),
        Ok(json!({"loaderId": "B"})),
        arrives("B", "http://localhost/x"),
    );
    let structured = reply.unwrap().structured.unwrap();
    assert_eq!(
        (&structured["state"], &structured["title"], &structured["url"]),
        (&json!("ready"), &json!("T"), &json!("http://localhost/x"))
    );
    assert_eq!(*log.borrow(), [r#"Page.navigate {"url":"http://localhost:80/x"}"#]);
}

#[test]
fn a_page_that_the_server_gave_with_an_error_says_so() {
    for (status, told) in [(200, false), (404, true), (503, true)] {
        let scripted = Scripted::new(|method, _, _| {
            Ok(match method {
                "page" => json!({ "value": { "title": "T" } }),
                _ => json!({ "result": { "loaderId": "B" } }),
            })
        });
        let tab = scripted.tab(7);
        for event in arrives("B", "https://a.example/x") {
            scripted.event(7, event);
        }
        let head = Head { status, ..Head::default() };
        for seen in [Seen::Start(Asked::default()), Seen::Head(head, None)] {
            tab.observed().borrow_mut().noted("B", seen);
        }
        let reply = async_io::block_on(super::arrived(&tab, true)).unwrap();
        let text = format!("{:?}", reply.parts[0]);
        let words = format!("answered with status {status}");
        assert_eq!(text.contains(&words), told, "{text}");
    }
}

#[test]
fn what_is_refused_sends_nothing() {
    for url in ["javascript:alert(1)", "chrome://settings", "file:///etc/passwd", "", "a b"] {
        let (reply, log) = navigate(json!({"url": url, "tabId": 1}), Ok(json!({})), Vec::new());
        let failure = reply.unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched, "{url}");
        assert!(failure.own.contains("Retry: ") && log.borrow().is_empty(), "{url}");
    }
}

#[test]
fn a_load_that_failed_is_no_success() {
    let (reply, _) = navigate(
        json!({"url": "nowhere.invalid", "tabId": 1}),
        Ok(json!({"loaderId": "B", "errorText": "net::ERR_NAME_NOT_RESOLVED"})),
        Vec::new(),
    );
    let failure = reply.unwrap_err();
    assert_eq!(failure.disposition, Disposition::ToolFailure);
    assert!(failure.own.contains("DNS") && failure.own.contains("Retry: safe"), "{}", failure.own);
}

#[test]
fn a_download_leaves_the_page() {
    let (reply, _) = navigate(
        json!({"url": "a.example/f.zip", "tabId": 1}),
        Ok(json!({"isDownload": true, "errorText": "net::ERR_ABORTED"})),
        Vec::new(),
    );
    assert_eq!(reply.unwrap().structured.unwrap()["state"], "download");
}

#[test]
fn a_slow_server_is_told_as_loading() {
    let mut fault = RequestFault::unsent(FaultCode::Timeout, "");
    fault.sent = true;
    let (reply, _) = navigate(json!({"url": "slow.example", "tabId": 1}), Err(fault), Vec::new());
    assert_eq!(reply.unwrap().structured.unwrap()["state"], "loading");
}

#[test]
fn a_page_that_is_held_by_its_dialog_is_not_the_one_that_was_asked_for() {
    let dialog = Dialog { kind: "confirm".into(), message: "sure?".into(), default: None };
    let opened = || TabEvent::Dialog(Some(dialog.clone()));
    for (events, words) in [
        (vec![opened()], "about to be left"),
        ([arrives("B", "https://b.example/"), vec![opened()]].concat(), "Loaded; the page opened"),
    ] {
        let (reply, _) =
            navigate(json!({"url": "b.example", "tabId": 1}), Ok(json!({"loaderId": "B"})), events);
        let told = format!("{reply:?}");
        assert!(told.contains(words), "{told}");
    }
}

#[test]
fn a_lost_answer_is_unknown() {
    let (reply, _) = navigate(
        json!({"url": "a.example", "tabId": 1}),
        Err(RequestFault::lost(FaultCode::Internal, "", true)),
        Vec::new(),
    );
    assert_eq!(reply.unwrap_err().disposition, Disposition::OutcomeUnknown);
}

fn asks(forced: Option<bool>) -> (Result<Reply, Failure>, Log) {
    let mut fault = RequestFault::unsent(FaultCode::DialogOpen, "");
    fault.sent = true;
    let dialog = Dialog { kind: "beforeunload".into(), message: String::new(), default: None };
    let mut arguments = json!({"url": "b.example", "tabId": 1});
    let mut events = vec![TabEvent::Dialog(Some(dialog))];
    if let Some(force) = forced {
        arguments["force"] = force.into();
        events.extend(arrives("B", "https://b.example/"));
    }
    navigate(arguments, Err(fault), events)
}

#[test]
fn a_page_that_asks_to_stay_is_stayed_on_unless_forced() {
    let (reply, log) = asks(None);
    assert!(reply.unwrap_err().own.contains("force: true"));
    assert_eq!(log.borrow().last().unwrap(), r#"Page.handleJavaScriptDialog {"accept":false}"#);
    let (reply, log) = asks(Some(true));
    assert_eq!(reply.unwrap().structured.unwrap()["state"], "ready");
    assert_eq!(log.borrow().last().unwrap(), r#"Page.handleJavaScriptDialog {"accept":true}"#);
}

#[test]
fn back_and_forward_go_through_the_history() {
    let (reply, log) = navigate(
        json!({"url": "back", "tabId": 1}),
        Ok(json!({})),
        arrives("Z", "https://z.example/"),
    );
    assert_eq!(reply.unwrap().structured.unwrap()["url"], "https://z.example/");
    assert_eq!(log.borrow().last().unwrap(), r#"Page.navigateToHistoryEntry {"entryId":10}"#);
    let (reply, log) = navigate(json!({"url": "forward", "tabId": 1}), Ok(json!({})), Vec::new());
    assert_eq!(reply.unwrap_err().disposition, Disposition::NotDispatched);
    assert_eq!(log.borrow().len(), 1);
}

#[test]
fn an_error_page_by_history_is_no_success() {
    let gone = Doc { unreachable: true, ..doc("Z", "https://z.example/") };
    let events = vec![
        TabEvent::Document { doc: gone, main: true, same_document: false },
        TabEvent::Load { loader_id: "Z".into(), state: LoadState::Dom },
    ];
    let (reply, _) = navigate(json!({"url": "back", "tabId": 1}), Ok(json!({})), events);
    assert_eq!(reply.unwrap_err().disposition, Disposition::ToolFailure);
}

#[test]
fn the_error_page_of_an_earlier_address_is_not_taken_for_the_one_asked_for() {
    let failed = Doc { unreachable: true, ..doc("B", "https://gone.example/") };
    let failed = TabEvent::Document { doc: failed, main: true, same_document: false };
    let dom = TabEvent::Load { loader_id: "B".into(), state: LoadState::Dom };
    let answer = json!({ "frameId": "F", "loaderId": "C" });
    let asked = json!({ "url": "https://b.example/" });
    let later = arrives("C", "https://b.example/");
    let (reply, _) = navigate_on(asked, Ok(answer), vec![failed, dom], later);
    let text = format!("{:?}", reply.unwrap().parts);
    assert!(text.contains("page can be read"), "{text}");
}
