//! Tools that do one thing each, so that a test says what it is about.

use crate::tool::{Call, Failure, Lane, Part, Reply, Run, Target, Tool};
use ghostlight_transport::bridge::{Hints, WorkspaceUse};
use serde_json::{Value, json};
use std::time::Duration;

const HINTS: Hints =
    Hints { read_only: false, destructive: true, idempotent: false, open_world: true };
const TAB: &str = r#"{"type": "object", "additionalProperties": false, "required": ["tabId"],
    "properties": {"tabId": {"type": "number"}}}"#;
const NONE: &str = r#"{"type": "object", "additionalProperties": false, "properties": {}}"#;
const PATIENCE: Duration = Duration::from_secs(20);

const fn tool(name: &'static str, lane: Lane, workspace: WorkspaceUse, run: Run) -> Tool {
    Tool {
        name,
        title: name,
        description: name,
        input: match lane {
            Lane::Local | Lane::Topology => NONE,
            Lane::Surface | Lane::Beside | Lane::Browser => TAB,
        },
        output: None,
        hints: HINTS,
        workspace,
        lane,
        effect: |_| true,
        run,
    }
}

pub(super) const SCRIPTS: &[Tool] = &[
    tool("say", Lane::Local, WorkspaceUse::Independent, |_| Box::pin(async { said("hello") })),
    tool("panic", Lane::Local, WorkspaceUse::Independent, |_| {
        Box::pin(async { panic!("on purpose") })
    }),
    tool("open", Lane::Topology, WorkspaceUse::Creates, |call| Box::pin(open(call))),
    tool("click", Lane::Surface, WorkspaceUse::Uses, |call| Box::pin(click(call))),
    Tool {
        effect: |_| false,
        ..tool("look", Lane::Surface, WorkspaceUse::Uses, |call| Box::pin(look(call)))
    },
    tool("free", Lane::Beside, WorkspaceUse::Uses, |call| Box::pin(click(call))),
    tool("twice", Lane::Surface, WorkspaceUse::Uses, |call| Box::pin(twice(call))),
    tool("whole", Lane::Browser, WorkspaceUse::Uses, |call| Box::pin(click(call))),
];

fn said(text: &str) -> Result<Reply, Failure> {
    Ok(Reply { parts: vec![Part::Own(text.into())], structured: None })
}

async fn open(call: Call) -> Result<Reply, Failure> {
    let Target::Workspace(topology) = call.target else { panic!("a topology") };
    let (listed, tab) = topology.open().await?;
    assert_eq!(listed.id, tab.id());
    Ok(Reply { parts: vec![], structured: Some(json!({ "tabId": listed.id })) })
}

async fn click(call: Call) -> Result<Reply, Failure> {
    let Target::Tab(tab) = call.target else { panic!("a tab") };
    tab.progress("clicking");
    let _: Value = tab.effect("cdp.seq", json!({ "steps": [] }), PATIENCE).await?;
    said("clicked")
}

async fn look(call: Call) -> Result<Reply, Failure> {
    let Target::Tab(tab) = call.target else { panic!("a tab") };
    let seen: Value = tab.read("frames", json!({}), PATIENCE).await?;
    let origin = "https://page.example".into();
    Ok(Reply { parts: vec![Part::Page { origin, text: seen.to_string() }], structured: None })
}

async fn twice(call: Call) -> Result<Reply, Failure> {
    let Target::Tab(tab) = call.target else { panic!("a tab") };
    for _ in 0..2 {
        let _: Value = tab.effect("cdp.seq", json!({ "steps": [] }), PATIENCE).await?;
    }
    said("clicked twice")
}
