//! Revision 2025-11-25: the handshake, what it requires, and the shape of its results.

use crate::client;
use crate::instructions::INSTRUCTIONS;
use crate::json;
use crate::params::Params;
use crate::render;
use crate::rpc::{self, Fault};
use ghostlight_transport::bridge::{Client, Projection};
use serde_json::value::RawValue;

pub(crate) const VERSION: &str = "2025-11-25";

/// What `initialize` settled for the life of the process.
#[derive(Debug)]
pub(crate) struct Handshake {
    pub(crate) client: Option<Client>,
    /// Sent with `initialize`, it holds for every call.
    pub(crate) restriction: Option<Box<RawValue>>,
    /// The client has said `notifications/initialized`.
    pub(crate) ready: bool,
}

/// Whatever version is asked for, this one is offered.
pub(crate) fn handshake(params: &Params<'_>) -> Result<Handshake, Fault> {
    if params.protocol_version.and_then(json::text).is_none() {
        return Err(Fault::params("params.protocolVersion must be a string"));
    }
    if !params.capabilities.is_some_and(json::is_object) {
        return Err(Fault::params("params.capabilities must be an object"));
    }
    let identity = params
        .client_info
        .and_then(|info| json::members(info.get(), &["name", "version"]))
        .map(|found| found.values.map(|value| value.and_then(json::text).is_some()));
    if identity != Some([true, true]) {
        return Err(Fault::params(
            "params.clientInfo must be an object with the strings name and version",
        ));
    }
    Ok(Handshake {
        client: params.client_info.and_then(client::read),
        restriction: params.meta.restriction.map(ToOwned::to_owned),
        ready: false,
    })
}

/// The same for every `initialize`, so a repeated one changes nothing.
pub(crate) fn answer_initialize(out: &mut Vec<u8>, id: &str) {
    rpc::answer(out, id, |out| {
        out.extend_from_slice(b"{\"protocolVersion\":\"2025-11-25\",");
        out.extend_from_slice(
            b"\"capabilities\":{\"tools\":{\"listChanged\":true}},\"serverInfo\":",
        );
        out.extend_from_slice(render::SERVER_INFO.as_bytes());
        out.extend_from_slice(b",\"instructions\":");
        json::push_text(out, INSTRUCTIONS);
        out.push(b'}');
    });
}

pub(crate) fn answer_ping(out: &mut Vec<u8>, id: &str) {
    rpc::answer(out, id, |out| out.extend_from_slice(b"{}"));
}

/// A result object around `members`.
pub(crate) fn result(out: &mut Vec<u8>, members: impl FnOnce(&mut Vec<u8>)) {
    out.push(b'{');
    members(out);
    out.push(b'}');
}

/// The result of `tools/list`.
pub(crate) fn listing(projection: &Projection) -> Vec<u8> {
    let mut out = Vec::new();
    result(&mut out, |out| render::tools(out, projection, None));
    out
}

pub(crate) fn list_changed(out: &mut Vec<u8>) {
    rpc::notify(out, "notifications/tools/list_changed", |_| {});
}
