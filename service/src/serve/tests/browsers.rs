//! Lost answers, lost links, new workers, and the person who takes over.

use super::rig::*;
use ghostlight_transport::bridge::Disposition;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn adopted(asked: &Value) -> Value {
    json!({"tabs": [{"key": asked["key"], "tabId": 7}], "pending": [asked["id"]]})
}

#[test]
fn a_result_that_comes_over_the_next_connection_completes_its_call() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        drop(browser);
        let mut browser = service.browser(adopted(&asked)).await;
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn an_effect_that_a_new_worker_does_not_know_is_unknown_at_once_and_never_sent_again() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        let mut hello = adopted(&asked);
        hello["pending"] = json!([]);
        hello["workerId"] = json!("next");
        browser.hello(hello).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::OutcomeUnknown);
        assert!(text.contains("Retry: do not retry"));
        next_asked_is_a_look(&mut edge, &mut browser, &workspace).await;
    });
}

#[test]
fn a_caller_out_of_time_is_told_once_and_the_tab_stays_closed_until_the_end_is_known() {
    with_service("answer=400", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let first = browser.asked().await;
        let (disposition, _) = edge.ends().await;
        assert_eq!(disposition, Disposition::OutcomeUnknown);
        edge.start("look", Some(&workspace), tab(7)).await;
        edge.started().await;
        service.until_waiting(1).await;
        browser.answer(&first, json!({})).await;
        let second = browser.asked().await;
        assert_eq!(second["m"], "frames");
        browser.answer(&second, json!({})).await;
        assert_eq!(
            edge.ends().await.0,
            Disposition::Success,
            "and the first is not answered twice"
        );
        // The next intent is behind the terminal of the first call.
        edge.start("click", Some(&workspace), tab(7)).await;
        browser.asked().await;
        let terminal =
            service.audit().into_iter().find(|line| line["answered"] == "outcome_unknown");
        assert_eq!(terminal.unwrap()["outcome"], "success", "the audit has the true end");
    });
}

#[test]
fn a_settlement_that_never_comes_is_given_up_in_bounded_time() {
    with_service("answer=200,settlement=220", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let first = browser.asked().await;
        assert_eq!(edge.ends().await.0, Disposition::OutcomeUnknown);
        edge.start("look", Some(&workspace), tab(7)).await;
        let cancel = browser.hear().await;
        assert_eq!((&cancel["t"], &cancel["id"]), (&json!("cancel"), &first["id"]));
        assert_eq!(browser.asked().await["m"], "frames", "the tab is free again");
    });
}

#[test]
fn a_read_out_of_time_has_changed_nothing_and_says_so() {
    with_service("answer=80", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("look", Some(&workspace), tab(7)).await;
        browser.asked().await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::ToolFailure);
        assert!(text.contains("changed nothing"), "{text}");
    });
}

#[test]
fn a_malformed_answer_ends_its_call_at_once() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        browser.send(json!({"t": "res", "id": asked["id"], "worker": 3})).await;
        assert_eq!(edge.ends().await.0, Disposition::OutcomeUnknown);
    });
}

#[test]
fn a_pause_holds_what_waits_and_what_comes_and_stops_a_call_between_its_steps() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("twice", Some(&workspace), tab(7)).await;
        edge.started().await;
        let asked = browser.asked().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        browser.event(1, json!({"k": "control", "what": "pause", "by": "popup"})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::Held);
        assert!(text.contains("paused"), "{text}");
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Held, "the second step is not sent");
        edge.start("click", Some(&workspace), tab(7)).await;
        assert_eq!(edge.ends().await.0, Disposition::Held);
        browser.event(2, json!({"k": "control", "what": "resume", "by": "popup"})).await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn a_closed_tab_ends_what_waits_for_it() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        browser.asked().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        browser.event(1, json!({"k": "tab", "what": "removed", "tabId": 7})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("no such tab"), "{text}");
    });
}

#[test]
fn a_browser_that_was_there_is_waited_for_a_bounded_time() {
    with_service("browser_wait=150", |service| async move {
        let (mut edge, browser, workspace) = service.with_tab().await;
        drop(browser);
        let asked = Instant::now();
        edge.start("click", Some(&workspace), tab(7)).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("away now"), "{text}");
        assert!(asked.elapsed() >= Duration::from_millis(100));
    });
}

#[test]
fn a_browser_that_left_during_a_call_is_waited_for_a_bounded_time() {
    for (tool, expected) in
        [("click", Disposition::OutcomeUnknown), ("look", Disposition::ToolFailure)]
    {
        with_service("browser_wait=150", move |service| async move {
            let (mut edge, mut browser, workspace) = service.with_tab().await;
            edge.start(tool, Some(&workspace), tab(7)).await;
            browser.asked().await;
            let left = Instant::now();
            drop(browser);
            let (disposition, text) = edge.ends().await;
            assert_eq!(disposition, expected, "{text}");
            assert!(left.elapsed() < Duration::from_secs(2), "{:?}", left.elapsed());
        });
    }
}

#[test]
fn a_call_that_waits_for_its_browser_goes_on_when_it_comes_back() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("look", Some(&workspace), tab(7)).await;
        let first = browser.asked().await;
        browser.answer(&first, json!({})).await;
        edge.ends().await;
        drop(browser);
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let mut browser = service.browser(adopted(&first)).await;
        let asked = browser.asked().await;
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn a_browser_that_is_started_again_serves_who_waited_for_it_and_asks_for_no_former_tab() {
    with_service("", |service| async move {
        let (mut edge, browser, workspace) = service.with_tab().await;
        drop(browser);
        edge.start("open", Some(&workspace), json!({})).await;
        edge.started().await;
        let mut browser = service.browser(json!({"runId": "next", "workerId": "next"})).await;
        let asked = browser.asked().await;
        assert_eq!(asked["m"], "tab.open");
        browser.answer(&asked, json!({"tab": {"tabId": 9}})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
        drop(browser);
        edge.start("click", Some(&workspace), tab(9)).await;
        edge.started().await;
        let _browser = service.browser(json!({"runId": "third", "workerId": "third"})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("started again") && !text.contains("person"), "{text}");
    });
}

#[test]
fn another_protocol_is_refused_with_a_reason() {
    with_service("", |service| async move {
        let mut browser = service.browser(json!({})).await;
        browser
            .send(json!({
                "t": "hello", "proto": {"min": 7, "max": 9}, "ext": {"version": "9"},
                "browser": {"name": "B"}, "profileId": "q", "runId": "r", "workerId": "w",
            }))
            .await;
        let refused = browser.hear().await;
        assert_eq!((&refused["t"], &refused["code"]), (&json!("refuse"), &json!("protocol")));
    });
}

#[test]
fn a_new_service_waits_a_moment_for_the_browser_that_the_last_one_knew() {
    with_service("browser_wait=1500", |service| async move {
        drop(service.browser(json!({})).await);
        let service = service.again().await;
        let mut edge = service.edge().await;
        edge.start("open", None, json!({})).await;
        edge.started().await;
        let mut browser = service.browser(json!({})).await;
        let asked = browser.asked().await;
        browser.answer(&asked, json!({"tab": {"tabId": 7}})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn a_whole_browser_waits_for_its_tabs_and_they_for_it() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        let other = open_tab(&mut edge, &mut browser, 8).await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let click = browser.asked().await;
        edge.start("whole", Some(&workspace), tab(7)).await;
        edge.start("look", Some(&other), tab(8)).await;
        service.until_waiting(2).await;
        browser.answer(&click, json!({})).await;
        let whole = browser.asked().await;
        assert_eq!((&whole["m"], &whole["p"]["tabId"]), (&json!("cdp.seq"), &json!(7)));
        service.until_waiting(1).await;
        browser.answer(&whole, json!({})).await;
        let look = browser.asked().await;
        assert_eq!(look["p"]["tabId"], 8);
    });
}

#[test]
fn after_an_unknown_outcome_nothing_more_is_done_by_that_call() {
    with_service("answer=300", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("twice", Some(&workspace), tab(7)).await;
        let first = browser.asked().await;
        assert_eq!(edge.ends().await.0, Disposition::OutcomeUnknown);
        browser.answer(&first, json!({})).await;
        next_asked_is_a_look(&mut edge, &mut browser, &workspace).await;
    });
}
