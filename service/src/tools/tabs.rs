//! `tabs_context_mcp` and `tabs_create_mcp`: the tabs of a workspace.

use crate::render::quoted;
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use crate::topology::{ListedTab, Topology};
use ghostlight_transport::bridge::{Hints, WorkspaceUse};
use ghostlight_transport::browser_wire::FaultCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) const CONTEXT: Tool = Tool {
    name: "tabs_context_mcp",
    title: "List Ghostlight Tabs",
    description: "Lists the tabs of your workspace: tabId, title and address. Call it first. With createIfEmpty it opens \
        a tab when there is none. Only these tabs can be used; the person's own tabs are not among them. A workspace is \
        kept for 30 minutes after its last use, or 2 after its last tab closed.",
    input: r#"{
"type":"object","additionalProperties":false,"properties":{
"createIfEmpty":{"type":"boolean","description":"Open a tab when the workspace has none"},
"browser":{"type":"string","description":"Where several browsers are connected: the one to use, as results name it"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["mcpGroupId","tabs"],"properties":{
"mcpGroupId":{"type":"number"},
"browser":{"type":"string"},
"tabs":{"type":"array","items":{"type":"object","required":["tabId","title","url"],"properties":{
"tabId":{"type":"number"},"title":{"type":"string"},"url":{"type":"string"}}}}}}"#,
    ),
    hints: Hints { read_only: false, destructive: false, idempotent: true, open_world: true },
    workspace: WorkspaceUse::Creates,
    lane: Lane::Topology,
    effect: may_open,
    run: |call| Box::pin(context(call)),
};

pub(crate) const CREATE: Tool = Tool {
    name: "tabs_create_mcp",
    title: "Create Ghostlight Tab",
    description: "Opens a new empty tab in your workspace's tab group, behind the person's own tab, and gives its tabId. \
        A workspace is kept for 30 minutes after its last use, or 2 after its last tab closed.",
    input: r#"{"type":"object","additionalProperties":false,"properties":{
"browser":{"type":"string","description":"Where several browsers are connected: the one to use, as results name it"}}}"#,
    output: Some(
        r#"{
"type":"object","required":["tabId","tabs"],"properties":{
"tabId":{"type":"number","description":"The new tab"},
"browser":{"type":"string"},
"tabs":{"type":"array","items":{"type":"object","required":["tabId","title","url"],"properties":{
"tabId":{"type":"number"},"title":{"type":"string"},"url":{"type":"string"}}}}}}"#,
    ),
    hints: Hints { read_only: false, destructive: false, idempotent: false, open_world: true },
    workspace: WorkspaceUse::Creates,
    lane: Lane::Topology,
    effect: super::always_an_effect,
    run: |call| Box::pin(create(call)),
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(default)]
    create_if_empty: bool,
}

fn may_open(arguments: &Map<String, Value>) -> bool {
    arguments.get("createIfEmpty") == Some(&Value::Bool(true))
}

async fn context(mut call: Call) -> Result<Reply, Failure> {
    let arguments: Arguments = call.parse()?;
    let topology = call.topology()?;
    let mut tabs = topology.list().await?;
    let mut opened = None;
    if tabs.is_empty() && arguments.create_if_empty {
        let tab = open(&topology).await?;
        opened = Some(tab.id);
        tabs = with(&topology, tab).await;
    }
    let own = match (opened, tabs.len()) {
        (Some(id), _) => format!("Opened tab {id}."),
        (None, 0) => "The workspace has no tabs. Next step: call again with createIfEmpty, or call tabs_create_mcp.".into(),
        (None, 1) => "The workspace has 1 tab.".into(),
        (None, count) => format!("The workspace has {count} tabs."),
    };
    let structured = json!({ "mcpGroupId": topology.group_id(), "tabs": rows(&tabs) });
    Ok(reply(own, &topology, &tabs, structured))
}

async fn create(call: Call) -> Result<Reply, Failure> {
    let topology = call.topology()?;
    let opened = open(&topology).await?;
    let id = opened.id;
    let tabs = with(&topology, opened).await;
    let own = format!("Created tab {id}. Next step: navigate it.");
    let structured = json!({ "tabId": id, "tabs": rows(&tabs) });
    Ok(reply(own, &topology, &tabs, structured))
}

async fn open(topology: &Topology) -> Result<ListedTab, Failure> {
    match topology.open().await {
        Ok((tab, _)) => Ok(tab),
        Err(fault) if fault.sent && fault.code != FaultCode::TabClosed => Err(Failure::unknown(
            "The browser did not say whether the tab was opened. Retry: not before looking. \
             Next step: call tabs_context_mcp, which lists the tab if it is there.",
        )),
        Err(fault) => Err(fault.into()),
    }
}

/// The workspace's tabs after one was opened, which is told even if the others cannot be listed.
async fn with(topology: &Topology, opened: ListedTab) -> Vec<ListedTab> {
    topology.list().await.unwrap_or_else(|_| vec![opened])
}

fn reply(own: String, topology: &Topology, tabs: &[ListedTab], mut structured: Value) -> Reply {
    if let Some(label) = topology.browser_label() {
        structured["browser"] = json!(label);
    }
    Reply { parts: parts(own, topology, tabs), structured: Some(structured) }
}

fn rows(tabs: &[ListedTab]) -> Vec<Value> {
    let row =
        |tab: &ListedTab| json!({ "tabId": tab.id, "title": tab.tab.title, "url": tab.tab.url });
    tabs.iter().map(row).collect()
}

fn parts(own: String, topology: &Topology, tabs: &[ListedTab]) -> Vec<Part> {
    let browser =
        topology.browser_label().map(|label| format!(" Browser: {label}.")).unwrap_or_default();
    let mut parts = vec![Part::Own(format!("{own}{browser} Group {}.", topology.group_id()))];
    if !tabs.is_empty() {
        let lines: Vec<_> = tabs
            .iter()
            .map(|tab| {
                let front = if tab.tab.active { " (in front)" } else { "" };
                format!(
                    "tabId {}: {} {}{front}",
                    tab.id,
                    quoted(&tab.tab.title, 120),
                    quoted(&tab.tab.url, 300)
                )
            })
            .collect();
        let origin = match tabs {
            [only] => only.origin.clone(),
            _ => "several-pages".into(),
        };
        parts.push(Part::Page { origin, text: lines.join("\n") });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::RequestFault;
    use crate::tab::scripted::Scripted;
    use crate::tool::Target;
    use ghostlight_transport::bridge::Disposition;

    /// `tabs_create_mcp` in a browser that opens a tab, or fails at `failing`.
    fn created(failing: &'static str) -> Result<Reply, Failure> {
        let browser = Scripted::new(move |method, _, _| match method {
            _ if method == failing => Err(RequestFault {
                sent: method == "tab.open",
                ..RequestFault::unsent(FaultCode::Timeout, "")
            }),
            "tab.open" => Ok(json!({ "tab": { "tabId": 7 } })),
            _ => Ok(json!({ "tabs": [{ "tabId": 7 }] })),
        });
        let target = Target::Workspace(browser.topology());
        async_io::block_on((CREATE.run)(Call { arguments: Map::new(), target }))
    }

    #[test]
    fn a_tab_that_was_opened_is_told_even_if_the_others_cannot_be_listed() {
        for failing in ["nothing", "tab.list"] {
            let told = created(failing).unwrap().structured.unwrap();
            let id = crate::tab::composite(1, 7);
            assert_eq!((&told["tabId"], &told["tabs"][0]["tabId"]), (&json!(id), &json!(id)));
        }
    }

    #[test]
    fn a_tab_that_may_have_been_opened_is_looked_for_and_not_opened_again() {
        let failure = created("tab.open").unwrap_err();
        assert_eq!(failure.disposition, Disposition::OutcomeUnknown);
        assert!(failure.own.contains("tabs_context_mcp"));
    }
}
