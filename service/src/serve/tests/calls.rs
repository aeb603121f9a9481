//! What a client is told, and what never reaches a browser.

use super::rig::*;
use ghostlight_transport::bridge::{
    Client, Context, Disposition, FromEdge, FromService, RejectionKind,
};
use ghostlight_transport::handle::{WorkspaceId, expose_text};
use ghostlight_transport::limits::ACTIVE_WORKS;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn a_local_call_is_started_and_completed() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.start("say", None, json!({})).await;
        let work = edge.started().await;
        let completed = edge.completed().await;
        assert_eq!((completed.work, completed.outcome.disposition), (work, Disposition::Success));
    });
}

#[test]
fn what_never_starts_is_rejected_by_kind() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        let foreign = WorkspaceId::from_entropy([3; 16]);
        edge.start("no_such", None, json!({})).await;
        assert_eq!(edge.rejected().await.0, RejectionKind::UnknownOperation);
        edge.start("click", None, tab(7)).await;
        let missing = edge.rejected().await;
        edge.start("click", Some(&foreign), tab(7)).await;
        assert_eq!(edge.rejected().await, missing, "missing and unknown handles are told alike");
        assert_eq!(missing.0, RejectionKind::InvalidWorkspace);
        assert!(missing.1.contains("tabs_create_mcp"));
        edge.start("open", Some(&foreign), json!({})).await;
        assert_eq!(
            edge.rejected().await.0,
            RejectionKind::InvalidWorkspace,
            "not silently replaced"
        );
        let restriction = Some(RawValue::from_string("{}".into()).unwrap());
        let context = Context { restriction, ..Context::default() };
        edge.start_with("say", None, json!({}), context).await;
        assert_eq!(edge.rejected().await.0, RejectionKind::Restriction);
    });
}

#[test]
fn invalid_arguments_end_the_call_before_anything_else() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.start("say", None, json!({"loud": true})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("`loud` is not a known parameter"), "{text}");
        edge.start("click", None, json!({})).await;
        assert!(edge.ends().await.1.contains("tabs_context_mcp"));
    });
}

#[test]
fn only_the_owner_reaches_a_tab_and_every_other_number_is_answered_alike() {
    with_service("", |service| async move {
        let (mut edge, mut browser, mine) = service.with_tab().await;
        let other = open_tab(&mut edge, &mut browser, 8).await;
        let owned = (1_i64 << 32) + 7;
        let mut answers = Vec::new();
        for id in [
            json!(7),
            json!(owned + 5),
            json!(owned as f64 + 0.5),
            json!(-owned),
            json!(1e300),
            json!("4294967303"),
            json!(null),
            json!((1_i64 << 32) + 8),
        ] {
            edge.start("click", Some(&mine), json!({ "tabId": id })).await;
            answers.push(edge.ends().await);
        }
        edge.start("click", Some(&other), tab(7)).await;
        answers.push(edge.ends().await);
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
        assert_eq!(answers[0].0, Disposition::NotDispatched);
        edge.start("click", Some(&mine), json!({ "tabId": owned as f64 })).await;
        let asked = browser.asked().await;
        assert_eq!(asked["p"]["tabId"], 7, "the first frame is the owner's");
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn a_handle_shows_in_no_frame_to_a_browser_no_text_and_no_audit() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        let secret = expose_text(&workspace);
        edge.start("look", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        let digits = &secret[3..];
        assert!(!asked.to_string().contains(&digits[..8]));
        browser.answer(&asked, json!({"said": "SECRET PAGE TEXT"})).await;
        let (_, text) = edge.ends().await;
        assert!(text.contains("SECRET PAGE TEXT") && !text.contains(&digits[..8]), "{text}");
        edge.start("click", Some(&workspace), json!({"tabId": "SECRET ARGUMENT"})).await;
        edge.ends().await;
        let audit = Value::from(service.audit()).to_string();
        assert!(!audit.contains(&digits[..8]) && !audit.contains("SECRET"), "{audit}");
    });
}

#[test]
fn the_audit_has_an_intent_before_the_effect_and_one_terminal_after() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        let client = Some(Client { name: "tester".into(), version: "1".into() });
        let context = Context { client, ..Context::default() };
        edge.start_with("click", Some(&workspace), tab(7), context).await;
        let asked = browser.asked().await;
        let intent = service.audit().pop().unwrap();
        assert_eq!(
            (&intent["event"], &intent["tool"], &intent["client"]),
            (&json!("intent"), &json!("click"), &json!("tester")),
            "on file before the effect left"
        );
        browser.answer(&asked, json!({})).await;
        edge.ends().await;
        edge.start("click", Some(&workspace), json!({"tabId": 3})).await;
        edge.ends().await;
        edge.start("look", Some(&workspace), tab(7)).await;
        let asked = browser.asked().await;
        browser.answer(&asked, json!({})).await;
        edge.ends().await;
        // A later intent is behind everything that was queued before it.
        edge.start("click", Some(&workspace), tab(7)).await;
        browser.asked().await;
        let lines = service.audit();
        let of: Vec<_> = lines.iter().filter(|line| line["id"] == intent["id"]).collect();
        assert_eq!(of.len(), 2);
        assert_eq!((&of[1]["event"], &of[1]["outcome"]), (&json!("terminal"), &json!("success")));
        let refused = lines.iter().find(|line| line["reason"] == "unowned tab").unwrap();
        assert_eq!(
            (&refused["event"], &refused["outcome"]),
            (&json!("terminal"), &json!("not_dispatched"))
        );
        let reads = lines.iter().filter(|line| line["tool"] == "look");
        assert_eq!(reads.count(), 1, "a read needs no intent");
    });
}

#[test]
fn a_queued_call_that_is_cancelled_never_reaches_the_browser() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let first = browser.asked().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        let queued = edge.started().await;
        edge.send(&FromEdge::Cancel { work: queued }).await;
        assert_eq!(edge.ends().await.0, Disposition::Cancelled);
        browser.answer(&first, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
        next_asked_is_a_look(&mut edge, &mut browser, &workspace).await;
    });
}

#[test]
fn what_frees_a_tab_waits_for_no_turn() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let first = browser.asked().await;
        edge.start("free", Some(&workspace), tab(7)).await;
        edge.started().await;
        let second = browser.asked().await;
        browser.answer(&second, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
        browser.answer(&first, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn whatever_a_tool_says_of_its_tab_an_open_dialog_is_told() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let asked = browser.asked().await;
        let dialog = json!({"k": "dialog", "tabId": 7, "what": "opened", "type": "confirm", "message": "Sure?"});
        browser.event(2, dialog).await;
        browser.answer(&asked, json!({})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::Success);
        assert!(
            text.contains("dialog: confirm \"Sure?\"") && text.contains("dialog tool"),
            "{text}"
        );
        assert!(text.contains("untrusted"), "{text}");
    });
}

#[test]
fn a_cancelled_call_stops_between_its_steps_and_its_sent_effect_is_waited_for() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("twice", Some(&workspace), tab(7)).await;
        let work = edge.started().await;
        let asked = browser.asked().await;
        edge.send(&FromEdge::Cancel { work }).await;
        let cancel = browser.hear().await;
        assert_eq!((&cancel["t"], &cancel["id"]), (&json!("cancel"), &asked["id"]));
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Cancelled);
        next_asked_is_a_look(&mut edge, &mut browser, &workspace).await;
    });
}

#[test]
fn without_any_browser_the_answer_comes_at_once_and_says_what_to_do() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        let asked = Instant::now();
        edge.start("open", None, json!({})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("extension") && text.contains("ghostlight doctor"), "{text}");
        assert!(asked.elapsed() < Duration::from_secs(2));
    });
}

#[test]
fn a_stream_has_a_bounded_number_of_calls() {
    with_service("", |service| async move {
        let (mut edge, _browser, workspace) = service.with_tab().await;
        for _ in 0..=ACTIVE_WORKS {
            edge.start("click", Some(&workspace), tab(7)).await;
        }
        let mut rejected = None;
        for _ in 0..=ACTIVE_WORKS {
            match edge.hear().await {
                FromService::Rejected { rejection, .. } => rejected = Some(rejection.kind),
                FromService::Started { .. } | FromService::Completed(_) => {}
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(rejected, Some(RejectionKind::Busy));
    });
}

#[test]
fn progress_is_told_to_whoever_asked_for_it_and_grows() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start_shown("click", &workspace, tab(7)).await;
        let work = edge.started().await;
        let FromService::Progress { work: of, done, message, .. } = edge.hear().await else {
            panic!("progress comes before the end")
        };
        assert_eq!((of, done, message.as_str()), (work, 1.0, "clicking"));
        let asked = browser.asked().await;
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}

#[test]
fn a_tool_that_panics_ends_its_own_call_only() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.start("panic", None, json!({})).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::ToolFailure);
        assert!(text.contains("Ghostlight itself failed"));
        edge.start("say", None, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success);
    });
}
