//! `explain`: what the tools may do, in words that depend on nothing but this program.

use super::{TOOLS, no_effect};
use crate::tool::{Call, Failure, Lane, Part, Reply, Tool};
use ghostlight_transport::bridge::{Hints, WorkspaceUse};

pub(crate) const ROW: Tool = Tool {
    name: "explain",
    title: "Explain Browser Permissions",
    description: "Tells which kinds of access each tool needs and what is permitted now.",
    input: r#"{"type":"object","additionalProperties":false,"properties":{}}"#,
    output: None,
    hints: Hints { read_only: true, destructive: false, idempotent: true, open_world: false },
    workspace: WorkspaceUse::Independent,
    lane: Lane::Local,
    effect: no_effect,
    run: |_: Call| {
        Box::pin(async {
            Ok::<Reply, Failure>(Reply { parts: vec![Part::Own(text())], structured: None })
        })
    },
};

/// Tool, its action where it has several, and the kinds of access it needs.
const NEEDS: &[(&str, &str)] = &[
    ("tabs_context_mcp", "read"),
    ("tabs_create_mcp", "none"),
    ("navigate", "read"),
    (
        "computer left_click, right_click, double_click, triple_click, left_click_drag, type, key",
        "action",
    ),
    ("computer screenshot, scroll, zoom, scroll_to, hover", "read"),
    ("computer wait", "none"),
    ("find", "read"),
    ("form_input", "write"),
    ("get_page_text", "read"),
    ("javascript_tool", "execute"),
    ("read_console_messages", "read"),
    ("read_network_requests", "read"),
    ("read_page", "read"),
    ("resize_window", "none"),
    ("update_plan", "none"),
    ("wait_for", "read"),
    ("dialog status", "read"),
    ("dialog accept, dismiss, respond", "action"),
    ("tab_control focus", "none"),
    ("tab_control reload, close, back, forward", "action"),
    ("file_upload", "write"),
    ("explain", "none"),
];

fn text() -> String {
    let mut text = String::from(
        "Kinds of access: read (see a page), action (click, type, press keys), write (set form values), execute (run \
         scripts in a page), none.\n\
         No policy is installed: every kind is permitted, in the tabs of your own workspace only. Browser pages, \
         extension pages and the person's other tabs are out of reach. The person can pause or stop everything at any time.\n",
    );
    for (what, needs) in NEEDS.iter().filter(|(what, _)| is_here(what)) {
        text.push_str(&format!("{what}: {needs}, permitted\n"));
    }
    text.pop();
    text
}

fn is_here(what: &str) -> bool {
    TOOLS.iter().any(|tool| what.split(' ').next() == Some(tool.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_explained() {
        for tool in TOOLS {
            assert!(
                NEEDS.iter().any(|(what, _)| what.split(' ').next() == Some(tool.name)),
                "{}",
                tool.name
            );
        }
        assert!(NEEDS.iter().all(|(what, _)| is_here(what)));
    }
}
