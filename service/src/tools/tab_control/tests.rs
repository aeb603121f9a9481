//! `tab_control` against a browser that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{Dialog, LoadState, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Part, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::rc::Rc;

type Log = Rc<RefCell<Vec<String>>>;

/// What the browser does with a close.
#[derive(Clone, Copy, PartialEq)]
enum Page {
    Closes,
    IsTheLast,
    Asks,
    /// Says yes to leaving and never goes.
    Clings,
    Alerts,
}

fn dialog(kind: &str) -> TabEvent {
    let (kind, message) = (kind.to_owned(), "EVIL\n".to_owned());
    TabEvent::Dialog(Some(Dialog { kind, message, default: None }))
}

fn document(loader: &str) -> TabEvent {
    let doc = Doc { loader_id: loader.into(), ..Doc::default() };
    TabEvent::Document { doc, main: true, same_document: false }
}

/// Another document, which can be read.
fn arrive(browser: &Scripted) {
    browser.event(7, document("B"));
    browser.event(7, TabEvent::Load { loader_id: "B".into(), state: LoadState::Load });
}

fn asked() -> RequestFault {
    RequestFault { sent: true, ..RequestFault::unsent(FaultCode::DialogOpen, "") }
}

fn release(browser: &Scripted, page: Page) -> Result<Value, RequestFault> {
    match page {
        Page::Closes => Ok(json!({})),
        Page::IsTheLast => Ok(json!({ "left": true })),
        Page::Asks | Page::Clings => {
            browser.event(7, dialog("beforeunload"));
            Err(asked())
        }
        Page::Alerts => {
            browser.event(7, dialog("alert"));
            Err(asked())
        }
    }
}

fn command(browser: &Scripted, page: Page, params: &Value) -> Result<Value, RequestFault> {
    match params["method"].as_str().unwrap() {
        "Page.handleJavaScriptDialog" => {
            browser.event(7, TabEvent::Dialog(None));
            if params["params"]["accept"] == true && page == Page::Asks {
                browser.event(7, TabEvent::Gone);
                return Err(RequestFault {
                    sent: true,
                    ..RequestFault::unsent(FaultCode::TabClosed, "")
                });
            }
        }
        // The browser answers first, and the page asks then.
        "Page.reload" if page == Page::Asks => browser.event(7, dialog("beforeunload")),
        "Page.getNavigationHistory" => {
            return Ok(
                json!({ "result": { "currentIndex": 0, "entries": [{"id": 10}, {"id": 11}] } }),
            );
        }
        _ => arrive(browser),
    }
    Ok(json!({ "result": {} }))
}

fn control(arguments: Value, page: Page, tabs: usize) -> (Result<Reply, Failure>, Log) {
    let log: Log = Rc::default();
    let sent = Rc::clone(&log);
    let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
    let inner = Rc::clone(&browser);
    let scripted = Scripted::new(move |method, params, effect| {
        let browser = inner.borrow().clone().unwrap();
        if effect {
            let what = params["method"].as_str().unwrap_or(method);
            sent.borrow_mut()
                .push(format!("{what} {}", params.get("params").unwrap_or(&params["close"])));
        }
        match method {
            "tab.list" => Ok(
                json!({ "tabs": (7..7 + tabs).map(|id| json!({"tabId": id})).collect::<Vec<_>>() }),
            ),
            "tab.release" => release(&browser, page),
            "cdp" => command(&browser, page, params),
            "page" => Ok(json!({ "value": { "title": "T" } })),
            _ => Ok(json!({})),
        }
    });
    *browser.borrow_mut() = Some(Rc::clone(&scripted));
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let tab = scripted.tab(7);
    scripted.event(7, document("A"));
    let reply = async_io::block_on((ROW.run)(Call { arguments, target: Target::Tab(tab) }));
    (reply, log)
}

fn words(reply: &Reply) -> String {
    match &reply.parts[0] {
        Part::Own(text) => text.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_tab_is_closed_and_what_is_left_is_told() {
    for (page, tabs, left, says) in [
        (Page::Closes, 3, 2, "Closed tabId 4294967303."),
        (Page::Closes, 1, 0, "no tabs left"),
        (Page::IsTheLast, 1, 0, "browser's last tab"),
    ] {
        let (reply, log) = control(json!({"action": "close"}), page, tabs);
        let reply = reply.unwrap();
        assert!(words(&reply).contains(says), "{}", words(&reply));
        let structured = reply.structured.unwrap();
        assert_eq!(
            (&structured["state"], &structured["tabsLeft"]),
            (&json!("closed"), &json!(left))
        );
        assert_eq!(*log.borrow(), ["tab.release true"]);
    }
}

#[test]
fn a_page_that_asks_before_it_closes_is_answered_as_asked() {
    for unload in [json!({"action": "close"}), json!({"action": "close", "unload": "dismiss"})] {
        let (reply, log) = control(unload, Page::Asks, 2);
        let failure = reply.unwrap_err();
        assert!(failure.own.contains("stayed") && failure.own.contains("unload: accept"));
        assert_eq!(log.borrow()[1], r#"Page.handleJavaScriptDialog {"accept":false}"#);
    }
    let (reply, log) = control(json!({"action": "close", "unload": "accept"}), Page::Asks, 2);
    assert!(words(&reply.unwrap()).contains("the answer was yes"));
    assert_eq!(log.borrow()[1], r#"Page.handleJavaScriptDialog {"accept":true}"#);
}

#[test]
fn a_page_that_asks_before_it_is_loaded_again_stays() {
    let (reply, log) = control(json!({"action": "reload"}), Page::Asks, 1);
    assert!(reply.unwrap_err().own.contains("stayed"));
    assert_eq!(log.borrow().len(), 2);
}

#[test]
fn a_close_that_cannot_be_proved_is_unknown() {
    let (reply, _) = control(json!({"action": "close", "unload": "accept"}), Page::Clings, 2);
    assert_eq!(reply.unwrap_err().disposition, Disposition::OutcomeUnknown);
}

#[test]
fn another_dialog_is_named_and_not_answered() {
    let (reply, log) = control(json!({"action": "close", "unload": "accept"}), Page::Alerts, 2);
    let failure = reply.unwrap_err();
    assert!(failure.own.contains("was not closed") && !failure.own.contains("EVIL"));
    assert_eq!(failure.page.unwrap().1, "dialog: alert \"EVIL\\n\"");
    assert_eq!(log.borrow().len(), 1);
}

#[test]
fn each_other_action_is_one_command() {
    for (action, sent, state) in [
        ("focus", "tab.focus null", "focused"),
        ("reload", "Page.reload {}", "ready"),
        ("forward", r#"Page.navigateToHistoryEntry {"entryId":11}"#, "ready"),
    ] {
        let (reply, log) = control(json!({"action": action}), Page::Closes, 1);
        assert_eq!(reply.unwrap().structured.unwrap()["state"], state);
        assert_eq!(*log.borrow(), [sent]);
    }
}

#[test]
fn what_cannot_be_done_sends_nothing() {
    for arguments in [json!({"action": "back"}), json!({"action": "focus", "unload": "accept"})] {
        let (reply, log) = control(arguments, Page::Closes, 1);
        let failure = reply.unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched);
        assert!(failure.own.contains("Retry: ") && log.borrow().is_empty());
    }
}
