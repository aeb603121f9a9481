//! The members of a request's `params` and `_meta` that any method here reads, found in one pass each.

use crate::json::{self, Members};
use crate::rpc::Fault;
use ghostlight_transport::limits::ID_BYTES;
use serde_json::value::RawValue;

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Params<'a> {
    pub(crate) name: Option<&'a RawValue>,
    pub(crate) arguments: Option<&'a RawValue>,
    pub(crate) cursor: Option<&'a RawValue>,
    pub(crate) notifications: Option<&'a RawValue>,
    pub(crate) request_state: Option<&'a RawValue>,
    pub(crate) input_responses: Option<&'a RawValue>,
    pub(crate) protocol_version: Option<&'a RawValue>,
    pub(crate) capabilities: Option<&'a RawValue>,
    pub(crate) client_info: Option<&'a RawValue>,
    pub(crate) meta: Meta<'a>,
}

#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Meta<'a> {
    pub(crate) protocol_version: Option<&'a RawValue>,
    pub(crate) client_capabilities: Option<&'a RawValue>,
    pub(crate) client_info: Option<&'a RawValue>,
    pub(crate) log_level: Option<&'a RawValue>,
    pub(crate) progress_token: Option<&'a RawValue>,
    pub(crate) restriction: Option<&'a RawValue>,
}

const PARAMS: [&str; 10] = [
    "_meta",
    "name",
    "arguments",
    "cursor",
    "notifications",
    "requestState",
    "inputResponses",
    "protocolVersion",
    "capabilities",
    "clientInfo",
];

const META: [&str; 6] = [
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/clientCapabilities",
    "io.modelcontextprotocol/clientInfo",
    "io.modelcontextprotocol/logLevel",
    "progressToken",
    "org.ghostlight/restriction",
];

pub(crate) fn read(params: Option<&RawValue>) -> Result<Params<'_>, Fault> {
    let Some(params) = params else { return Ok(Params::default()) };
    let [meta, name, arguments, cursor, notifications, request_state, input_responses, rest @ ..] =
        once("params", params, &PARAMS)?;
    let [protocol_version, capabilities, client_info] = rest;
    let meta = meta.map_or(Ok(Meta::default()), read_meta)?;
    Ok(Params {
        name,
        arguments,
        cursor,
        notifications,
        request_state,
        input_responses,
        protocol_version,
        capabilities,
        client_info,
        meta,
    })
}

fn read_meta(meta: &RawValue) -> Result<Meta<'_>, Fault> {
    let [
        protocol_version,
        client_capabilities,
        client_info,
        log_level,
        progress_token,
        restriction,
    ] = once("params._meta", meta, &META)?;
    Ok(Meta {
        protocol_version,
        client_capabilities,
        client_info,
        log_level,
        progress_token,
        restriction,
    })
}

fn once<'a, const N: usize>(
    what: &'static str,
    object: &'a RawValue,
    names: &[&str; N],
) -> Result<[Option<&'a RawValue>; N], Fault> {
    match json::members(object.get(), names) {
        Some(Members { values, repeated: None }) => Ok(values),
        Some(Members { repeated: Some(which), .. }) => {
            Err(Fault::params(format!("{what} holds the member {} twice", names[which])))
        }
        None => Err(Fault::params(format!("{what} must be an object"))),
    }
}

/// A progress token as it will be repeated.
pub(crate) fn token<'a>(meta: &Meta<'a>) -> Result<Option<&'a RawValue>, Fault> {
    let Some(token) = meta.progress_token else { return Ok(None) };
    if json::text(token).is_none() && !json::is_integer(token) {
        return Err(Fault::params("progressToken must be a string or an integer"));
    }
    if token.get().len() > ID_BYTES {
        return Err(Fault::params("progressToken must be shorter than 4 KiB"));
    }
    Ok(Some(token))
}

/// What `tools/call` is asked for; arguments left out are an empty object.
pub(crate) fn call<'a>(params: &Params<'a>) -> Result<(String, Option<&'a RawValue>), Fault> {
    let name = params.name.and_then(json::text);
    let Some(name) = name else { return Err(Fault::params("params.name must be a string")) };
    if params.arguments.is_some_and(|arguments| !json::is_object(arguments)) {
        return Err(Fault::params("params.arguments must be an object"));
    }
    Ok((name.into_owned(), params.arguments))
}

/// The list is one page, so no cursor was ever handed out.
pub(crate) fn no_cursor(params: &Params<'_>) -> Result<(), Fault> {
    params.cursor.map_or(Ok(()), |_| Err(Fault::params("Invalid cursor")))
}
