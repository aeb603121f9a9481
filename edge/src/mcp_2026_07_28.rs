//! Revision 2026-07-28: the envelope of each request, discovery, subscriptions, and results.

use crate::instructions::INSTRUCTIONS;
use crate::json;
use crate::params::{Meta, Params};
use crate::render;
use crate::rpc::{self, Fault};
use ghostlight_transport::bridge::Projection;
use ghostlight_transport::limits::ID_BYTES;
use serde_json::value::RawValue;

pub(crate) const VERSION: &str = "2026-07-28";
pub(crate) const METHODS: [&str; 4] =
    ["server/discover", "tools/list", "tools/call", "subscriptions/listen"];

/// Argument of tools that create or use a workspace, and member of the results of those that create.
pub(crate) const WORKSPACE: &str = "workspaceId";
pub(crate) const WORKSPACE_INPUT: &str = r#"{"type":"string","description":"The workspace to work in, as returned by the tool that created it."}"#;
pub(crate) const WORKSPACE_OUTPUT: &str = r#"{"type":"string","description":"Names this workspace in later calls; keep it. It ends after 30 idle minutes."}"#;

const BOTH: &str = r#"["2026-07-28","2025-11-25"]"#;
const SUBSCRIPTION: &str = r#""io.modelcontextprotocol/subscriptionId":"#;

const LOG_LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// Both required members present and typed, and our version.
pub(crate) fn check_envelope(meta: &Meta<'_>) -> Result<(), Fault> {
    let Some(version) = meta.protocol_version else { return Err(missing("protocolVersion")) };
    let Some(version) = json::text(version) else {
        return Err(Fault::params("io.modelcontextprotocol/protocolVersion must be a string"));
    };
    match meta.client_capabilities {
        None => return Err(missing("clientCapabilities")),
        Some(capabilities) if !json::is_object(capabilities) => {
            return Err(Fault::params(
                "io.modelcontextprotocol/clientCapabilities must be an object",
            ));
        }
        Some(_) => {}
    }
    if version == VERSION { Ok(()) } else { Err(unsupported(&version)) }
}

/// The rest of the envelope; an identity or a trace is never a reason to refuse.
pub(crate) fn check_options(meta: &Meta<'_>) -> Result<(), Fault> {
    let Some(level) = meta.log_level else { return Ok(()) };
    match json::text(level) {
        Some(level) if LOG_LEVELS.contains(&level.as_ref()) => Ok(()),
        _ => Err(Fault::params("io.modelcontextprotocol/logLevel must be the name of a log level")),
    }
}

/// No input is ever requested, so what would answer a request for it is only checked for its type.
pub(crate) fn check_call(params: &Params<'_>) -> Result<(), Fault> {
    if params.request_state.is_some_and(|state| json::text(state).is_none()) {
        return Err(Fault::params("params.requestState must be a string"));
    }
    if params.input_responses.is_some_and(|responses| !json::is_object(responses)) {
        return Err(Fault::params("params.inputResponses must be an object"));
    }
    Ok(())
}

pub(crate) fn missing(member: &str) -> Fault {
    Fault::params(format!("Missing _meta member io.modelcontextprotocol/{member}"))
}

fn unsupported(version: &str) -> Fault {
    const UNSUPPORTED: i32 = -32022;
    let shown: String = version.chars().take(64).collect();
    let (message, supported) = if version == crate::mcp_2025_11_25::VERSION {
        ("2025-11-25 is spoken after initialize only".to_owned(), r#"["2026-07-28"]"#)
    } else {
        (format!("Protocol version {shown} is not supported"), BOTH)
    };
    let mut data = format!("{{\"supported\":{supported},\"requested\":").into_bytes();
    json::push_text(&mut data, &version.chars().take(ID_BYTES).collect::<String>());
    data.push(b'}');
    let data = String::from_utf8(data).unwrap_or_default();
    Fault::new(UNSUPPORTED, message).with_data(data)
}

pub(crate) fn no_method(method: &str) -> Fault {
    let shown: String = method.chars().take(64).collect();
    Fault::new(rpc::NO_METHOD, format!("Method {shown} does not exist in 2026-07-28"))
        .with_data(format!("{{\"supported\":{BOTH}}}"))
}

/// A result object around `members`, which are the ones after `resultType`.
pub(crate) fn result(out: &mut Vec<u8>, members: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"{\"resultType\":\"complete\",");
    members(out);
    out.extend_from_slice(b",\"_meta\":{");
    push_server_info(out);
    out.extend_from_slice(b"}}");
}

fn push_server_info(out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"io.modelcontextprotocol/serverInfo\":");
    out.extend_from_slice(render::SERVER_INFO.as_bytes());
}

pub(crate) fn answer_discover(out: &mut Vec<u8>, id: &str) {
    rpc::answer(out, id, |out| {
        result(out, |out| {
            out.extend_from_slice(b"\"supportedVersions\":");
            out.extend_from_slice(BOTH.as_bytes());
            out.extend_from_slice(b",\"capabilities\":{\"tools\":{\"listChanged\":true}},");
            out.extend_from_slice(b"\"instructions\":");
            json::push_text(out, INSTRUCTIONS);
            out.extend_from_slice(b",\"ttlMs\":3600000,\"cacheScope\":\"private\"");
        });
    });
}

/// The result of `tools/list`; a list that depends on a restriction is stale at once.
pub(crate) fn listing(projection: &Projection, restricted: bool) -> Vec<u8> {
    let mut out = Vec::new();
    result(&mut out, |out| {
        render::tools(out, projection, Some(WORKSPACE));
        let life: &[u8] = if restricted { b"0" } else { b"60000" };
        out.extend_from_slice(b",\"ttlMs\":");
        out.extend_from_slice(life);
        out.extend_from_slice(b",\"cacheScope\":\"private\"");
    });
    out
}

/// Whether a `subscriptions/listen` asks for changes of the tool list.
pub(crate) fn filter(params: &Params<'_>) -> Result<bool, Fault> {
    const NAMES: [&str; 4] =
        ["toolsListChanged", "promptsListChanged", "resourcesListChanged", "resourceSubscriptions"];
    let bad = |what: &str| Err(Fault::params(format!("params.notifications{what}")));
    let Some(filter) = params.notifications else { return bad(" must be an object") };
    let Some(found) = json::members(filter.get(), &NAMES) else {
        return bad(" must be an object");
    };
    if let Some(which) = found.repeated {
        return bad(&format!(".{} occurs twice", NAMES[which]));
    }
    let [flags @ .., uris] = found.values;
    for (name, flag) in NAMES.iter().zip(flags) {
        if flag.is_some_and(|flag| !matches!(flag.get(), "true" | "false")) {
            return bad(&format!(".{name} must be a boolean"));
        }
    }
    if uris.is_some_and(|uris| serde_json::from_str::<Vec<String>>(uris.get()).is_err()) {
        return bad(".resourceSubscriptions must be an array of strings");
    }
    Ok(flags[0].map(RawValue::get) == Some("true"))
}

pub(crate) fn acknowledge(out: &mut Vec<u8>, id: &str, tools: bool) {
    rpc::notify(out, "notifications/subscriptions/acknowledged", |out| {
        push_tag(out, id);
        out.extend_from_slice(b",\"notifications\":{");
        if tools {
            out.extend_from_slice(b"\"toolsListChanged\":true");
        }
        out.push(b'}');
    });
}

pub(crate) fn list_changed(out: &mut Vec<u8>, id: &str) {
    rpc::notify(out, "notifications/tools/list_changed", |out| push_tag(out, id));
}

fn push_tag(out: &mut Vec<u8>, id: &str) {
    out.extend_from_slice(b"\"_meta\":{");
    out.extend_from_slice(SUBSCRIPTION.as_bytes());
    out.extend_from_slice(id.as_bytes());
    out.push(b'}');
}

/// Our own end of a subscription: its result, then the cancel that another page of the
/// specification asks for.
pub(crate) fn end_subscription(out: &mut Vec<u8>, id: &str) {
    rpc::answer(out, id, |out| {
        out.extend_from_slice(b"{\"resultType\":\"complete\",\"_meta\":{");
        out.extend_from_slice(SUBSCRIPTION.as_bytes());
        out.extend_from_slice(id.as_bytes());
        out.push(b',');
        push_server_info(out);
        out.extend_from_slice(b"}}");
    });
    rpc::notify(out, "notifications/cancelled", |out| {
        out.extend_from_slice(b"\"requestId\":");
        out.extend_from_slice(id.as_bytes());
        out.extend_from_slice(b",\"reason\":\"Ghostlight is ending\"");
    });
}
