//! The service's declarations and outcomes as members of MCP results, the same in both revisions.

use crate::json;
use crate::mcp_2026_07_28::{WORKSPACE_INPUT, WORKSPACE_OUTPUT};
use crate::schema;
use ghostlight_transport::bridge::{
    Block, Hints, Outcome, Projection, ToolDeclaration, WorkspaceUse,
};
use ghostlight_transport::handle::{WorkspaceId, expose_text};

pub(crate) const SERVER_INFO: &str = concat!(
    r#"{"name":"ghostlight","title":"Ghostlight","version":""#,
    env!("CARGO_PKG_VERSION"),
    r#""}"#
);

/// The member `tools`. `workspace` names the property that carries an explicit workspace.
pub(crate) fn tools(out: &mut Vec<u8>, projection: &Projection, workspace: Option<&str>) {
    out.extend_from_slice(b"\"tools\":[");
    for (index, tool) in projection.tools.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        declaration(out, tool, workspace);
    }
    out.push(b']');
}

fn declaration(out: &mut Vec<u8>, tool: &ToolDeclaration, workspace: Option<&str>) {
    out.extend_from_slice(b"{\"name\":");
    json::push_text(out, &tool.name);
    out.extend_from_slice(b",\"title\":");
    json::push_text(out, &tool.title);
    out.extend_from_slice(b",\"description\":");
    json::push_text(out, &tool.description);
    out.extend_from_slice(b",\"inputSchema\":");
    match workspace {
        Some(name) if tool.workspace != WorkspaceUse::Independent => {
            out.extend(schema::with_property(&tool.input, name, WORKSPACE_INPUT, false));
        }
        _ => json::push_compact(out, tool.input.get()),
    }
    if let Some(output) = &tool.output {
        out.extend_from_slice(b",\"outputSchema\":");
        match workspace {
            Some(name) if tool.workspace == WorkspaceUse::Creates => {
                out.extend(schema::with_property(output, name, WORKSPACE_OUTPUT, true));
            }
            _ => json::push_compact(out, output.get()),
        }
    }
    let Hints { read_only, destructive, idempotent, open_world } = tool.hints;
    let hints = format!(
        ",\"annotations\":{{\"readOnlyHint\":{read_only},\"destructiveHint\":{destructive},\
         \"idempotentHint\":{idempotent},\"openWorldHint\":{open_world}}}}}"
    );
    out.extend_from_slice(hints.as_bytes());
}

/// Members of a successful call's result. `workspace` is what the call created, for its caller.
pub(crate) fn success(out: &mut Vec<u8>, outcome: &Outcome, workspace: Option<&WorkspaceId>) {
    let workspace = workspace.map(expose_text);
    out.extend_from_slice(b"\"content\":[");
    push_blocks(out, &outcome.content);
    if let Some(workspace) = &workspace {
        if !outcome.content.is_empty() {
            out.push(b',');
        }
        let text = format!("workspaceId: {workspace}\nPass it as workspaceId in every later call.");
        push_block(out, &Block::Text(text));
    }
    out.push(b']');
    // A picture has no facts to state twice.
    if outcome.content.iter().any(|block| matches!(block, Block::Image { .. })) {
        return;
    }
    let facts = outcome.structured.as_deref().map(|facts| facts.get());
    if facts.is_none() && workspace.is_none() {
        return;
    }
    out.extend_from_slice(b",\"structuredContent\":");
    json::push_compact(out, facts.unwrap_or("{}"));
    if let Some(workspace) = workspace {
        out.pop();
        if out.last() != Some(&b'{') {
            out.push(b',');
        }
        out.extend_from_slice(format!("\"workspaceId\":\"{workspace}\"}}").as_bytes());
    }
}

/// Members of a failed call's result.
pub(crate) fn failure(out: &mut Vec<u8>, content: &[Block]) {
    out.extend_from_slice(b"\"content\":[");
    push_blocks(out, content);
    out.extend_from_slice(b"],\"isError\":true");
}

fn push_blocks(out: &mut Vec<u8>, blocks: &[Block]) {
    for (index, block) in blocks.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        push_block(out, block);
    }
}

fn push_block(out: &mut Vec<u8>, block: &Block) {
    match block {
        Block::Text(text) => {
            out.extend_from_slice(b"{\"type\":\"text\",\"text\":");
            json::push_text(out, text);
        }
        Block::Image { mime, data } => {
            out.extend_from_slice(b"{\"type\":\"image\",\"data\":");
            json::push_text(out, data);
            out.extend_from_slice(b",\"mimeType\":");
            json::push_text(out, mime);
        }
    }
    out.push(b'}');
}

/// What a message of a JSON-RPC error can carry of an outcome: its texts.
pub(crate) fn plain(content: &[Block]) -> String {
    let texts = content.iter().filter_map(|block| match block {
        Block::Text(text) => Some(text.as_str()),
        Block::Image { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
