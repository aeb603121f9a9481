//! Streams that are cut, services that end, and who may ask for it.

use super::rig::*;
use crate::activity::Ending;
use crate::serve::Served;
use ghostlight_transport::bridge::{Disposition, FromEdge, FromService, RejectionKind};
use ghostlight_transport::limits::WORKSPACES_PER_STREAM;
use serde_json::json;
use std::time::Duration;

#[test]
fn a_lost_stream_cancels_what_waits_and_drains_what_was_sent() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        for _ in 0..2 {
            edge.start("click", Some(&workspace), tab(7)).await;
            edge.started().await;
        }
        let asked = browser.asked().await;
        drop(edge);
        assert_eq!(browser.hear().await["t"], "cancel");
        browser.answer(&asked, json!({})).await;
        let mut edge = service.edge().await;
        edge.start("look", Some(&workspace), tab(7)).await;
        let next = browser.asked().await;
        assert_eq!(next["m"], "frames", "the second click never left");
        browser.answer(&next, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success, "and the workspace lives on");
        edge.start("click", Some(&workspace), tab(7)).await;
        browser.asked().await;
        let clicks = service.audit().into_iter();
        let ends: Vec<_> = clicks
            .filter(|line| line["tool"] == "click" && line["event"] == "terminal")
            .map(|line| line["outcome"].clone())
            .collect();
        assert_eq!(ends, ["cancelled", "success"]);
    });
}

#[test]
fn a_released_workspace_lets_its_tabs_go() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.send(&FromEdge::OpenWorkspace {
            sequence: 1,
            workspace: None,
            context: Default::default(),
        })
        .await;
        let FromService::WorkspaceOpened { workspace, .. } = edge.hear().await else { panic!() };
        let again = Some(workspace.clone());
        edge.send(&FromEdge::OpenWorkspace {
            sequence: 2,
            workspace: again,
            context: Default::default(),
        })
        .await;
        let FromService::WorkspaceOpened { workspace: same, .. } = edge.hear().await else {
            panic!()
        };
        assert_eq!(workspace, same);
        let mut browser = service.browser(json!({})).await;
        edge.start("open", Some(&workspace), json!({})).await;
        let asked = browser.asked().await;
        browser.answer(&asked, json!({"tab": {"tabId": 7}})).await;
        edge.ends().await;
        edge.send(&FromEdge::ReleaseWorkspace { sequence: 3, workspace: workspace.clone() }).await;
        assert!(matches!(edge.hear().await, FromService::WorkspaceReleased { sequence: 3 }));
        assert_eq!(browser.asked().await["m"], "workspace.release");
        edge.start("click", Some(&workspace), tab(7)).await;
        assert_eq!(edge.rejected().await.0, RejectionKind::InvalidWorkspace);
    });
}

#[test]
fn an_idle_workspace_ends_by_itself() {
    with_service("workspace_idle=60", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        assert_eq!(browser.asked().await["m"], "workspace.release");
        edge.start("click", Some(&workspace), tab(7)).await;
        assert_eq!(edge.rejected().await.0, RejectionKind::InvalidWorkspace);
    });
}

#[test]
fn one_client_cannot_hoard_workspaces() {
    with_service("", |service| async move {
        let mut browser = service.browser(json!({})).await;
        let mut edge = service.edge().await;
        for native in 0..WORKSPACES_PER_STREAM as i64 {
            let workspace = open_tab(&mut edge, &mut browser, native).await;
            edge.start("click", Some(&workspace), tab(native)).await;
            let asked = browser.asked().await;
            browser.answer(&asked, json!({})).await;
            edge.ends().await;
        }
        edge.start("open", None, json!({})).await;
        assert_eq!(edge.rejected().await.0, RejectionKind::Busy);
        let mut other = service.edge().await;
        open_tab(&mut other, &mut browser, 100).await;
    });
}

#[test]
fn only_the_command_line_asks_for_status_and_end() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.send(&FromEdge::Status { sequence: 1 }).await;
        assert!(soon("the cut", edge.link.reader.next()).await.unwrap().is_none());
        let mut control = service.control().await;
        control.send(&FromEdge::Status { sequence: 1 }).await;
        let FromService::Status { status, .. } = control.hear().await else { panic!() };
        assert_eq!((status.live_edges, status.browsers.len()), (0, 0));
        control.send(&FromEdge::Stop { sequence: 2 }).await;
        assert!(matches!(control.hear().await, FromService::Stopping { sequence: 2 }));
        assert_eq!(soon("the end", service.served).await, Served::Ended(Ending::Asked));
    });
}

#[test]
fn a_service_without_anything_to_do_ends_and_one_with_a_browser_does_not() {
    with_service("service_idle=80", |service| async move {
        let mut browser = service.browser(json!({})).await;
        assert!(browser.silent_for(Duration::from_millis(250)).await);
        assert!(!service.served.is_finished());
        drop(browser);
        assert_eq!(soon("the end", service.served).await, Served::Ended(Ending::Idle));
    });
}

#[test]
fn a_service_whose_directory_was_replaced_makes_room() {
    with_service("", |service| async move {
        let mut edge = service.edge().await;
        edge.start("say", None, json!({})).await;
        edge.ends().await;
        let directory = service.directory();
        std::fs::rename(&directory, directory.with_extension("gone")).unwrap();
        assert_eq!(soon("the end", service.served).await, Served::Ended(Ending::Superseded));
        assert!(soon("the cut", edge.link.reader.next()).await.unwrap().is_none());
    });
}

#[test]
fn waiting_calls_of_an_ending_service_are_told_that_a_retry_is_safe() {
    with_service("", |service| async move {
        let (mut edge, mut browser, workspace) = service.with_tab().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let asked = browser.asked().await;
        edge.start("click", Some(&workspace), tab(7)).await;
        edge.started().await;
        let mut control = service.control().await;
        control.send(&FromEdge::Stop { sequence: 1 }).await;
        let (disposition, text) = edge.ends().await;
        assert_eq!(disposition, Disposition::NotDispatched);
        assert!(text.contains("Retry: safe"), "{text}");
        browser.answer(&asked, json!({})).await;
        assert_eq!(edge.ends().await.0, Disposition::Success, "a running call may end well");
        soon("the end", service.served).await;
    });
}
