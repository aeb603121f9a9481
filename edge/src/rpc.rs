//! JSON-RPC: one line becomes a message or a refusal, and answers become lines.

use crate::json::{self, Members};
use ghostlight_transport::limits::ID_BYTES;
use serde_json::value::RawValue;
use std::borrow::Cow;

pub(crate) const PARSE: i32 = -32700;
pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const NO_METHOD: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const INTERNAL: i32 = -32603;

#[derive(Debug)]
pub(crate) enum Message<'a> {
    Request(Request<'a>),
    Notification {
        method: Cow<'a, str>,
        params: Option<&'a RawValue>,
    },
    /// An answer to a request, of which we send none.
    Response,
}

#[derive(Debug)]
pub(crate) struct Request<'a> {
    pub(crate) id: &'a RawValue,
    pub(crate) method: Cow<'a, str>,
    /// An object when present.
    pub(crate) params: Option<&'a RawValue>,
}

/// Why a line is not served. Without an id the answer carries none.
#[derive(Debug)]
pub(crate) struct Refusal<'a> {
    pub(crate) id: Option<&'a RawValue>,
    pub(crate) fault: Fault,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) message: Cow<'static, str>,
    /// JSON text.
    pub(crate) data: Option<Cow<'static, str>>,
}

impl Fault {
    pub(crate) fn new(code: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(crate) fn params(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(INVALID_PARAMS, message)
    }

    pub(crate) fn with_data(mut self, data: impl Into<Cow<'static, str>>) -> Self {
        self.data = Some(data.into());
        self
    }
}

const MEMBERS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// Text of a line as the parser can take it: UTF-8, not too deep, without halves of characters.
pub(crate) fn readable(line: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = std::str::from_utf8(line)
        .map_err(|_| Fault::new(PARSE, "Parse error: the line is not UTF-8"))?;
    let survey = json::survey(text);
    if survey.levels > json::NESTING {
        return Err(Fault::new(PARSE, "Parse error: nested deeper than 128 levels"));
    }
    Ok(if survey.surrogates { json::well_formed(text) } else { Cow::Borrowed(text) })
}

pub(crate) fn read(text: &str) -> Result<Message<'_>, Refusal<'_>> {
    let Some(Members { values, repeated }) = json::members(text, &MEMBERS) else {
        return Err(not_an_object(text));
    };
    let [version, id, method, params, result, error] = values;
    if method.is_none() && (result.is_some() || error.is_some()) {
        return Ok(Message::Response);
    }
    let method_name = method.and_then(json::text);
    if let (None, Some(name)) = (id, &method_name) {
        return Ok(Message::Notification { method: name.clone(), params });
    }
    let refuse = |id, code, message| Err(Refusal { id, fault: Fault::new(code, message) });
    let Some(id) = id else {
        return refuse(None, INVALID_REQUEST, "A message needs a method that is a string");
    };
    let sound =
        if id.get().starts_with('"') { json::text(id).is_some() } else { json::is_integer(id) };
    if !sound || repeated == Some(1) {
        return refuse(None, INVALID_REQUEST, "A request id must be one string or one integer");
    }
    if id.get().len() > ID_BYTES {
        return refuse(None, INVALID_REQUEST, "A request id must be shorter than 4 KiB");
    }
    if version.is_none_or(|version| version.get() != "\"2.0\"") {
        return refuse(Some(id), INVALID_REQUEST, "The member jsonrpc must be \"2.0\"");
    }
    let Some(method) = method_name else {
        return refuse(Some(id), INVALID_REQUEST, "The member method must be a string");
    };
    if repeated.is_some() {
        return refuse(Some(id), INVALID_REQUEST, "A member of the request occurs twice");
    }
    if params.is_some_and(|params| !json::is_object(params)) {
        return refuse(Some(id), INVALID_PARAMS, "params must be an object");
    }
    Ok(Message::Request(Request { id, method, params }))
}

fn not_an_object(text: &str) -> Refusal<'_> {
    let fault = if !json::is_json(text) {
        Fault::new(PARSE, "Parse error: the line is not one JSON value")
    } else if text.trim_start().starts_with('[') {
        Fault::new(INVALID_REQUEST, "Batches are not supported: one message per line")
    } else {
        Fault::new(INVALID_REQUEST, "A message must be a JSON object")
    };
    Refusal { id: None, fault }
}

/// What two ids share when they name the same request: the string's text or the integer's digits.
pub(crate) fn same_id(id: &RawValue) -> Box<str> {
    match json::text(id) {
        Some(Cow::Owned(text)) => {
            let mut plain = Vec::new();
            json::push_text(&mut plain, &text);
            String::from_utf8(plain).unwrap_or_default().into()
        }
        _ => id.get().into(),
    }
}

/// One line with a result; `write` adds the result's JSON.
pub(crate) fn answer(out: &mut Vec<u8>, id: &str, write: impl FnOnce(&mut Vec<u8>)) {
    line(out, |out| {
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"id\":");
        out.extend_from_slice(id.as_bytes());
        out.extend_from_slice(b",\"result\":");
        write(out);
        out.push(b'}');
    });
}

pub(crate) fn refuse(out: &mut Vec<u8>, id: Option<&str>, fault: &Fault) {
    line(out, |out| {
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",");
        if let Some(id) = id {
            out.extend_from_slice(b"\"id\":");
            out.extend_from_slice(id.as_bytes());
            out.push(b',');
        }
        out.extend_from_slice(
            format!("\"error\":{{\"code\":{},\"message\":", fault.code).as_bytes(),
        );
        json::push_text(out, &fault.message);
        if let Some(data) = &fault.data {
            out.extend_from_slice(b",\"data\":");
            out.extend_from_slice(data.as_bytes());
        }
        out.extend_from_slice(b"}}");
    });
}

/// One line with a notification; `write` adds the members of its `params`, or nothing.
pub(crate) fn notify(out: &mut Vec<u8>, method: &str, write: impl FnOnce(&mut Vec<u8>)) {
    line(out, |out| {
        out.extend_from_slice(b"{\"jsonrpc\":\"2.0\",\"method\":\"");
        out.extend_from_slice(method.as_bytes());
        out.push(b'"');
        let bare = out.len();
        out.extend_from_slice(b",\"params\":{");
        let empty = out.len();
        write(out);
        if out.len() == empty {
            out.truncate(bare);
        } else {
            out.push(b'}');
        }
        out.push(b'}');
    });
}

fn line(out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    write(out);
    json::escape_breaks(out, start);
    out.push(b'\n');
}

#[cfg(test)]
mod tests;
