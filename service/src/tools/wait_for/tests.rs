//! `wait_for` against a browser that answers as told.

use super::ROW;
use crate::tab::scripted::Scripted;
use crate::tab::{Dialog, LoadState, RequestFault, TabEvent};
use crate::tool::{Call, Failure, Part, Reply, Target};
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use ghostlight_transport::limits::{FRAMES_READ, WAIT, WAIT_SLICE};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

type Answer = Result<Value, RequestFault>;

fn doc(url: &str) -> TabEvent {
    let doc =
        Doc { loader_id: "L".into(), frame_id: "main".into(), url: url.into(), ..Doc::default() };
    TabEvent::Document { doc, main: true, same_document: false }
}

/// A loaded tab with two frames; `answer` is what each look in a frame gives.
fn browser(mut answer: impl FnMut(&str, &Value) -> Answer + 'static) -> Rc<Scripted> {
    let scripted = Scripted::new(move |method, params, effect| {
        assert!(!effect);
        match method {
            "frames" => Ok(json!({"frames": [
                {"frameId": "main", "loaderId": "L"}, {"frameId": "inner", "parentId": "main", "loaderId": "M"},
            ]})),
            "page" if params["fn"] == "settle" => Ok(json!({"value": {"settled": true}})),
            "page" => {
                let frame = params["frameId"].as_str().unwrap();
                answer(frame, &params["args"][0]).map(|value| json!({ "value": value }))
            }
            _ => Ok(json!({})),
        }
    });
    scripted.tab(7);
    scripted.event(7, doc("https://a.example/one"));
    scripted.event(7, TabEvent::Load { loader_id: "L".into(), state: LoadState::Load });
    scripted
}

/// A tab whose frames cannot be told, for `code`; and how often it was asked.
fn untold(code: FaultCode) -> (Rc<Scripted>, Rc<Cell<usize>>) {
    let asked = Rc::new(Cell::new(0));
    let count = Rc::clone(&asked);
    let scripted = Scripted::new(move |method, _, _| {
        count.set(count.get() + usize::from(method == "frames"));
        Err(RequestFault::unsent(code, ""))
    });
    scripted.tab(7);
    (scripted, asked)
}

fn wait(browser: &Rc<Scripted>, arguments: Value) -> Result<Reply, Failure> {
    let Value::Object(arguments) = arguments else { panic!("not an object") };
    let call = Call { arguments, target: Target::Tab(browser.tab(7)) };
    async_io::block_on((ROW.run)(call))
}

fn own(reply: &Reply) -> &str {
    match &reply.parts[0] {
        Part::Own(text) => text,
        other => panic!("{other:?}"),
    }
}

fn nothing(_: &str, _: &Value) -> Answer {
    Ok(json!({"met": false}))
}

#[test]
fn what_any_frame_shows_is_found_and_can_be_referred_to() {
    let browser = browser(|frame, wanted| {
        assert_eq!((&wanted["text"], &wanted["state"]), (&json!("Done"), &json!("visible")));
        Ok(match frame {
            "inner" => json!({"met": true, "key": 5, "role": "status", "name": "Done\n"}),
            _ => json!({"met": false}),
        })
    });
    let reply = wait(&browser, json!({"text": " Done "})).unwrap();
    assert!(own(&reply).starts_with("Visible after ") && own(&reply).contains("at rest"));
    let structured = reply.structured.unwrap();
    assert_eq!((&structured["found"], &structured["ref"]), (&json!(true), &json!("ref_1")));
    let Part::Page { text, .. } = &reply.parts[1] else { panic!("{:?}", reply.parts) };
    assert_eq!(text, r#"status "Done\n" [ref_1] in the frame """#);
}

#[test]
fn gone_is_gone_from_every_frame_at_once() {
    let looks = Rc::new(Cell::new(0));
    let count = Rc::clone(&looks);
    let browser = browser(move |frame, _| {
        count.set(count.get() + 1);
        let met = frame == "main" || count.get() > 4;
        Ok(json!({"met": met, "key": if met { Value::Null } else { json!(3) }}))
    });
    let reply = wait(&browser, json!({"selector": ".spinner", "state": "gone"})).unwrap();
    assert!(own(&reply).starts_with("Gone after "), "{}", own(&reply));
    assert_eq!(looks.get(), 8, "asked again after the last frame had it gone");
}

#[test]
fn a_time_that_was_cut_is_told() {
    let words = [5_000.0, 30_000.0, 60_000.0, f64::INFINITY]
        .map(|millis| super::told::bound(super::span(Some(millis), WAIT)));
    let most = "30000 ms, the most that one call waits";
    assert_eq!(words, ["5000 ms", most, most, most]);
}

#[test]
fn the_end_of_the_time_says_what_is_missing() {
    let stale = || Err(RequestFault::unsent(FaultCode::StaleDocument, ""));
    type Case = (Value, fn(&str, &Value) -> Answer, &'static str);
    let cases: [Case; 6] = [
        (json!({"text": "x"}), nothing, "nothing that fits is there"),
        (json!({"text": "x"}), |_, _| Ok(json!({"met": false, "hidden": 2})), "cannot be seen"),
        (
            json!({"text": "x", "state": "gone"}),
            |_, _| Ok(json!({"met": false, "key": 1, "role": "p"})),
            "it is still there",
        ),
        (json!({"url": "/two"}), nothing, "the address does not contain it"),
        (json!({"url": "/one", "state": "gone"}), nothing, "the address still contains it"),
        (json!({"url": "/two", "text": "x"}), nothing, "the address does not contain it"),
    ];
    for (mut arguments, answer, words) in cases {
        arguments["timeout_ms"] = json!(0);
        let reply = wait(&browser(answer), arguments).unwrap();
        assert!(own(&reply).contains(words) && own(&reply).contains("Retry: "), "{}", own(&reply));
        assert_eq!(reply.structured.unwrap()["found"], false, "{words}");
    }
    let reply = wait(&browser(move |_, _| stale()), json!({"text": "x", "timeout_ms": 0})).unwrap();
    assert!(own(&reply).contains("did not answer"), "{}", own(&reply));
}

#[test]
fn an_address_and_the_pages_rest_are_waited_for_too() {
    let reply = wait(&browser(nothing), json!({"url": "/one"})).unwrap();
    assert!(own(&reply).starts_with("The address is as wanted"), "{}", own(&reply));
    let reply = wait(&browser(nothing), json!({"state": "settled"})).unwrap();
    assert!(own(&reply).starts_with("Settled after"), "{}", own(&reply));
    assert_eq!(reply.structured.unwrap()["settled"], true);
}

#[test]
fn what_cannot_be_waited_for_is_refused() {
    for arguments in [
        json!({}),
        json!({"text": " "}),
        json!({"state": "gone"}),
        json!({"state": "settled", "text": "x"}),
    ] {
        let failure = wait(&browser(nothing), arguments).unwrap_err();
        assert_eq!(failure.disposition, Disposition::NotDispatched);
        assert!(failure.own.contains("Retry: safe, with"));
    }
    let bad = |_: &str, _: &Value| Err(RequestFault::unsent(FaultCode::Page, "bad_selector"));
    let failure = wait(&browser(bad), json!({"selector": "p["})).unwrap_err();
    assert!(failure.own.contains("no CSS selector"), "{}", failure.own);
    let gone = |_: &str, _: &Value| Err(RequestFault::unsent(FaultCode::TabClosed, ""));
    assert!(wait(&browser(gone), json!({"text": "x"})).unwrap_err().own.contains("closed"));
    let browser = browser(nothing);
    let dialog = Dialog { kind: "alert".into(), message: "EVIL".into(), default: None };
    browser.event(7, TabEvent::Dialog(Some(dialog)));
    let failure = wait(&browser, json!({"text": "x"})).unwrap_err();
    assert!(failure.own.contains("answer it with dialog") && !failure.own.contains("EVIL"));
    assert!(failure.page.unwrap().1.contains("alert"));
}

#[test]
fn a_tab_that_does_not_tell_its_frames_is_asked_again_after_a_pause() {
    for wanted in [json!({"state": "settled"}), json!({"text": "x"})] {
        for code in [FaultCode::Timeout, FaultCode::StaleDocument, FaultCode::Cdp] {
            let (browser, asked) = untold(code);
            let mut arguments = wanted.clone();
            arguments["timeout_ms"] = json!(50);
            let reply = wait(&browser, arguments).unwrap();
            assert!(own(&reply).contains("did not answer"), "{}", own(&reply));
            assert!(!own(&reply).contains("keeps changing"), "{}", own(&reply));
            assert!(asked.get() <= 3, "{code:?}: asked {} times", asked.get());
        }
    }
}

#[test]
fn more_frames_than_are_looked_at_are_not_asked_without_a_pause() {
    let looks = Rc::new(Cell::new(0));
    let count = Rc::clone(&looks);
    let scripted = Scripted::new(move |method, _, _| {
        if method != "frames" {
            return Ok(json!({"value": {"met": true}}));
        }
        count.set(count.get() + 1);
        let frame = |n| json!({"frameId": format!("{n}"), "loaderId": "L"});
        Ok(json!({"frames": (0..=FRAMES_READ).map(frame).collect::<Vec<_>>()}))
    });
    scripted.tab(7);
    let arguments = json!({"text": "x", "state": "gone", "timeout_ms": 50});
    let reply = wait(&scripted, arguments).unwrap();
    assert!(own(&reply).contains("1 more frames"), "{}", own(&reply));
    assert!(looks.get() <= 3, "{} looks", looks.get());
}

#[test]
fn what_no_waiting_cures_ends_the_wait_with_its_cause() {
    for (code, cause) in [
        (FaultCode::Crashed, "The page has crashed"),
        (FaultCode::Stopped, "The person has stopped"),
        (FaultCode::Cancelled, "was cancelled"),
        (FaultCode::TabClosed, "The tab is closed"),
        (FaultCode::TabDiscarded, "put this tab to sleep"),
    ] {
        for wanted in [json!({"state": "settled"}), json!({"text": "x"})] {
            let (browser, asked) = untold(code);
            let failure = wait(&browser, wanted).unwrap_err();
            assert!(failure.own.contains(cause), "{}", failure.own);
            assert_eq!(asked.get(), 1, "{code:?}");
        }
    }
}

#[test]
fn a_tab_that_closes_ends_a_wait_for_its_address() {
    for wanted in [
        json!({"url": "/two"}),
        json!({"url": "/one", "state": "gone"}),
        json!({"url": "/two", "text": "x"}),
    ] {
        for late in [false, true] {
            let browser = browser(nothing);
            let call = Call {
                arguments: wanted.as_object().unwrap().clone(),
                target: Target::Tab(browser.tab(7)),
            };
            let closing = async {
                if late {
                    futures_lite::future::yield_now().await;
                }
                browser.event(7, TabEvent::Gone);
            };
            let began = Instant::now();
            let both = futures_lite::future::zip(closing, (ROW.run)(call));
            let failure = async_io::block_on(both).1.unwrap_err();
            assert!(failure.own.contains("The tab is closed"), "{wanted}: {}", failure.own);
            assert!(began.elapsed() < WAIT_SLICE, "{wanted}: {:?}", began.elapsed());
        }
    }
}
