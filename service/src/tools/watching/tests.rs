//! What an action is seen to have done, against a browser that answers as told.

use super::{Watched, Watching, until_ready};
use crate::render::Happening;
use crate::tab::observed::{Asked, End, Head, Seen};
use crate::tab::scripted::Scripted;
use crate::tab::{Dialog, LoadState, RequestFault, TabEvent};
use crate::tools::frame;
use ghostlight_transport::browser_wire::{Doc, FaultCode};
use ghostlight_transport::limits::{DIALOG_LEFT, DOCUMENT_READY, OPENING};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The tab of the action itself, as the model names it.
const HERE: i64 = (1 << 32) + 7;

/// What is seen when `happens` comes with the page's look number so-and-so after the action, and how often it was asked.
fn seen(happens: impl Fn(&Rc<Scripted>, usize) + 'static) -> (Happening, usize) {
    let browser: Rc<RefCell<Option<Rc<Scripted>>>> = Rc::default();
    let looks = Rc::new(Cell::new(0));
    let (inner, counted) = (Rc::clone(&browser), Rc::clone(&looks));
    let scripted = Scripted::new(move |_, params, _| {
        if params["fn"] == "outcome" {
            counted.set(counted.get() + 1);
            let browser = inner.borrow().clone();
            happens(browser.as_ref().unwrap(), counted.get());
            std::thread::sleep(std::time::Duration::from_millis(20));
            return Ok(json!({ "value": { "hit": "", "settled": true } }));
        }
        Ok(json!({ "value": {} }))
    });
    *browser.borrow_mut() = Some(Rc::clone(&scripted));
    let tab = scripted.tab(7);
    let happening = async_io::block_on(async {
        let subject = (None, "the page");
        let begun = Watching::begin(&tab, &frame::main(&tab), subject, Watched::Nothing).await;
        begun.unwrap().0.end().await
    });
    (happening, looks.get())
}

fn note(browser: &Rc<Scripted>, seen: Seen) {
    browser.tab(7).observed().borrow_mut().noted("1", seen);
}

fn start(kind: &str) -> Seen {
    Seen::Start(Asked { kind: kind.into(), ..Asked::default() })
}

fn head() -> Seen {
    Seen::Head(Head { status: 200, ..Head::default() }, None)
}

#[test]
fn a_request_is_waited_for_until_it_is_answered_and_a_body_only_a_moment() {
    for (kind, answered, ended, looks) in [
        ("Fetch", 0, 3, 3..=3),
        ("Fetch", 1, 3, 3..=3),
        ("Fetch", 4, 0, 5..=30),
        ("XHR", 1, 25, 25..=25),
        ("Script", 1, 25, 25..=25),
        ("Image", 0, 0, 1..=1),
    ] {
        let (happening, asked) = seen(move |browser, look| {
            for (at, what) in [
                (1, start(kind)),
                (answered, head()),
                (ended, Seen::End(End::Done { bytes: 1 }, None)),
            ] {
                if look == at {
                    note(browser, what);
                }
            }
        });
        assert!(looks.contains(&asked), "{kind} {answered} {ended}: {asked} looks");
        assert!(!happening.awaiting, "{kind} {answered} {ended}");
        let unread = kind == "Fetch" && ended == 0;
        assert_eq!(happening.unread, unread, "{kind} {answered} {ended}");
    }
}

#[test]
fn a_tab_that_the_page_asked_for_is_waited_for_until_it_is_there_or_not() {
    let (asked, failed) = (TabEvent::Opening { failed: false }, TabEvent::Opening { failed: true });
    let (here, gone) = (TabEvent::Opened { tab: HERE }, TabEvent::Opened { tab: HERE + 1 });
    for (events, opened, passed, unopened) in [
        (vec![asked.clone(), here.clone()], 1, false, false),
        (vec![here.clone(), asked.clone(), here.clone()], 2, false, false),
        (vec![asked.clone(), asked.clone(), here.clone()], 1, false, true),
        (vec![asked.clone(), failed.clone()], 0, true, false),
        (vec![asked.clone(), gone.clone()], 0, true, false),
        (vec![asked.clone()], 0, false, true),
        (vec![], 0, false, false),
    ] {
        let name = format!("{events:?}");
        let began = Instant::now();
        let (happening, _) = seen(move |browser, _| {
            for event in &events {
                browser.event(7, event.clone());
            }
        });
        let found = (happening.opened.len(), happening.passed, happening.unopened);
        assert_eq!(found, (opened, passed, unopened), "{name}");
        assert!(!unopened || began.elapsed() >= OPENING, "{name}");
    }
}

#[test]
fn a_document_that_is_told_after_its_former_one_is_gone_is_a_navigation() {
    for arrives in [true, false] {
        let browser = Scripted::new(|_, params, _| match params["fn"].as_str() {
            Some("outcome") => Err(RequestFault::unsent(FaultCode::StaleDocument, "")),
            _ => Ok(json!({ "value": {} })),
        });
        let tab = browser.tab(7);
        let happening = async_io::block_on(async {
            let subject = (None, "the page");
            let begun = Watching::begin(&tab, &frame::main(&tab), subject, Watched::Nothing).await;
            let later = async {
                let doc = Doc { loader_id: "next".into(), url: "/next".into(), ..Doc::default() };
                if arrives {
                    browser.event(7, TabEvent::Document { doc, main: true, same_document: false });
                    let (loader_id, state) = ("next".into(), LoadState::Dom);
                    browser.event(7, TabEvent::Load { loader_id, state });
                }
            };
            futures_lite::future::zip(begun.unwrap().0.end(), later).await.0
        });
        let navigation = arrives.then(|| ("/next".to_owned(), true));
        assert_eq!((happening.navigation, happening.replaced), (navigation, !arrives));
    }
}

#[test]
fn a_dialog_of_a_page_that_is_left_has_its_moment_whenever_it_opens() {
    for (opens, comes) in [(Duration::ZERO, true), (DIALOG_LEFT, true), (DIALOG_LEFT, false)] {
        let browser = Scripted::new(|_, _, _| Ok(json!({})));
        let tab = browser.tab(7);
        let began = Instant::now();
        let later = async {
            async_io::Timer::after(opens).await;
            let asks = Dialog { kind: "confirm".into(), message: String::new(), default: None };
            browser.event(7, TabEvent::Dialog(Some(asks)));
            futures_lite::future::yield_now().await;
            if comes {
                let doc = Doc { loader_id: "next".into(), ..Doc::default() };
                browser.event(7, TabEvent::Document { doc, main: true, same_document: false });
                let (loader_id, state) = ("next".into(), LoadState::Dom);
                browser.event(7, TabEvent::Load { loader_id, state });
            }
        };
        let ready = until_ready(&tab, tab.mark(), Some(""));
        let ready = async_io::block_on(futures_lite::future::zip(ready, later)).0;
        assert_eq!(ready, comes, "{opens:?}");
        let told = began.elapsed();
        assert!(comes || (opens + DIALOG_LEFT..DOCUMENT_READY).contains(&told), "{told:?}");
    }
}
