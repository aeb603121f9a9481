//! What service and extension say to each other, through a connector that reads none of it.
//!
//! One JSON object per frame, told apart by `t`. BROWSER-WIRE.md beside this crate describes each
//! message and method; `extension/src/protocol.js` is the other end. Fields are additive.

use crate::json::{self, Misfit};
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The range this service speaks.
pub const PROTO: u32 = 1;

#[derive(Debug, Serialize)]
#[serde(tag = "t", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ToExtension<'a> {
    /// First frame of every connection; asks for a fresh `hello`.
    Greet,
    Welcome {
        proto: u32,
        svc: Version<'a>,
        connection: u64,
        agent: Agent<'a>,
    },
    Refuse {
        code: &'a str,
        message: &'a str,
    },
    Req {
        id: &'a str,
        m: &'a str,
        p: &'a RawValue,
        /// The workspace's key on this browser: routes, names no handle.
        key: &'a str,
        deadline_ms: u64,
        effect: bool,
    },
    Cancel {
        id: &'a str,
    },
    /// Results that arrived, and the last event that did.
    Ack {
        res: &'a [String],
        ev: u64,
    },
    Part(Part<'a>),
    Ping {
        n: u64,
    },
}

#[derive(Debug, Serialize)]
pub struct Version<'a> {
    pub version: &'a str,
}

/// The page agent's source. `hash` is over all parts in order.
#[derive(Debug, Serialize)]
pub struct Agent<'a> {
    pub hash: &'a str,
    pub parts: &'a [AgentPart],
}

#[derive(Debug, Clone, Serialize)]
pub struct AgentPart {
    pub name: &'static str,
    pub source: &'static str,
}

/// A slice of another message's JSON text, cut on character borders; `i` of `n`, in any order.
#[derive(Debug, Serialize, Deserialize)]
pub struct Part<'a> {
    pub xfer: u64,
    pub i: u32,
    pub n: u32,
    /// Bytes of the whole text.
    pub bytes: u64,
    #[serde(borrow)]
    pub text: Cow<'a, str>,
}

/// A whole message from the extension. It is read in two steps because raw JSON slices do not survive
/// serde's internally tagged enums.
#[derive(Debug)]
pub enum FromExtension<'a> {
    Hello(Box<Hello>),
    Res(Res),
    Ev(Events),
    Pong { n: u64 },
    Part(Part<'a>),
}

impl<'a> FromExtension<'a> {
    /// # Errors
    /// When the text is not one of the messages.
    pub fn parse(text: &'a [u8]) -> Result<Self, Misfit> {
        let misfit = |_| Misfit;
        let whole = || serde_json::from_slice::<Value>(text).map_err(misfit);
        Ok(match &*tag(text)? {
            "hello" => Self::Hello(Box::new(json::shaped(whole()?)?)),
            "res" => Self::Res(serde_json::from_slice(text).map_err(misfit)?),
            "ev" => Self::Ev(serde_json::from_slice(text).map_err(misfit)?),
            "pong" => Self::Pong { n: whole()?["n"].as_u64().ok_or(Misfit)? },
            "part" => Self::Part(serde_json::from_slice(text).map_err(misfit)?),
            _ => return Err(Misfit),
        })
    }
}

/// The member `t`, without reading what comes after it: a picture is a megabyte of that.
fn tag(text: &[u8]) -> Result<Cow<'_, str>, Misfit> {
    struct Tag<'a, 't>(&'t mut Option<Cow<'a, str>>);
    impl<'a> Visitor<'a> for Tag<'a, '_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a message")
        }

        fn visit_map<M: MapAccess<'a>>(self, mut members: M) -> Result<(), M::Error> {
            while let Some(name) = members.next_key::<Cow<'a, str>>()? {
                if name == "t" {
                    *self.0 = Some(members.next_value()?);
                    break;
                }
                members.next_value::<IgnoredAny>()?;
            }
            Ok(())
        }
    }
    let mut found = None;
    // That the rest was left unread is no fault of it.
    let _ = serde_json::Deserializer::from_slice(text).deserialize_map(Tag(&mut found));
    found.ok_or(Misfit)
}

/// Things that happened, in order. Unknown items are ignored one by one.
#[derive(Debug, Deserialize)]
pub struct Events {
    pub seq: u64,
    pub items: Vec<Value>,
    #[serde(default)]
    pub dropped: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hello {
    pub proto: ProtoRange,
    pub ext: OwnedVersion,
    pub browser: BrowserName,
    /// One per profile, kept over browser runs.
    pub profile_id: String,
    /// One per browser run: with another one, earlier tab ids mean nothing.
    pub run_id: String,
    /// One per service-worker life.
    pub worker_id: String,
    #[serde(default)]
    pub latch: Latch,
    #[serde(default)]
    pub tabs: Vec<Tab>,
    /// Requests this worker is still running or keeps a result for.
    #[serde(default)]
    pub pending: Vec<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct ProtoRange {
    pub min: u32,
    pub max: u32,
}

#[derive(Debug, Clone, Deserialize)]
pub struct OwnedVersion {
    pub version: String,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct BrowserName {
    pub name: String,
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub os: String,
}

/// What the person decided in the popup; the extension holds it and refuses by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Latch {
    #[default]
    Running,
    Paused,
    Stopped,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Tab {
    pub tab_id: i64,
    pub window_id: i64,
    pub group_id: i64,
    pub url: String,
    pub title: String,
    pub active: bool,
    pub status: String,
    pub discarded: bool,
    /// In a list: the key of its workspace (in `hello`), and its main document.
    pub key: String,
    pub doc: Option<Doc>,
}

/// One document as the browser process names it; never by the page's own word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Doc {
    pub tab_id: i64,
    pub frame_id: String,
    pub loader_id: String,
    pub origin: String,
    pub url: String,
    pub unreachable: bool,
}

/// The answer to one `req`; exactly one of `ok` and `err`.
#[derive(Debug, Deserialize)]
pub struct Res {
    pub id: String,
    /// The worker that ran it.
    pub worker: String,
    #[serde(default)]
    pub ok: Option<Box<RawValue>>,
    #[serde(default)]
    pub err: Option<Fault>,
    /// Whether any part of an effect left for the page.
    #[serde(default)]
    pub sent: bool,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    pub code: FaultCode,
    /// For people; may quote the browser, never the page.
    #[serde(default)]
    pub message: String,
    #[serde(default)]
    pub detail: Option<Value>,
}

/// Closed set; an unknown one reads as `Internal`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultCode {
    BadRequest,
    Unsupported,
    TooLarge,
    Busy,
    NotAdopted,
    TabClosed,
    TabDiscarded,
    RestrictedPage,
    AttachDenied,
    Detached,
    StaleDocument,
    DialogOpen,
    Timeout,
    Cancelled,
    Paused,
    Stopped,
    Navigated,
    /// The page's process is gone.
    Crashed,
    /// The page agent threw; `message` is its code.
    Page,
    /// CDP refused the command.
    Cdp,
    #[serde(other)]
    Internal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_keeps_its_value_as_the_browser_wrote_it() {
        let text = br#"{"t":"res","id":"a-1","worker":"w","ok":{"n":1.0, "s":"x"},"sent":true}"#;
        let FromExtension::Res(res) = FromExtension::parse(text).unwrap() else {
            panic!("a result")
        };
        assert_eq!(res.ok.unwrap().get(), r#"{"n":1.0, "s":"x"}"#);
        assert!(res.sent && res.err.is_none());
    }

    #[test]
    fn an_unknown_fault_code_reads_as_internal() {
        let text = br#"{"t":"res","id":"a-1","worker":"w","err":{"code":"from_the_future"}}"#;
        let FromExtension::Res(res) = FromExtension::parse(text).unwrap() else {
            panic!("a result")
        };
        assert_eq!(res.err.unwrap().code, FaultCode::Internal);
    }

    #[test]
    fn a_hello_needs_its_identities_only() {
        let text = br#"{"t":"hello","proto":{"min":1,"max":1},"ext":{"version":"0.1.0"},
            "browser":{"name":"Chromium"},"profileId":"p","runId":"r","workerId":"w","new":[1]}"#;
        let FromExtension::Hello(hello) = FromExtension::parse(text).unwrap() else {
            panic!("a hello")
        };
        assert_eq!((hello.latch, hello.tabs.len()), (Latch::Running, 0));
        for bad in [
            &b"{}"[..],
            b"[]",
            b"{\"t\":\"hello\"}",
            b"{\"t\":\"bye\"}",
            b"\xff",
            b"{\"t\":\"res\",\"id\":1}",
        ] {
            assert!(FromExtension::parse(bad).is_err());
        }
    }

    #[test]
    fn a_request_is_written_as_the_wire_says() {
        let p = serde_json::value::to_raw_value(&serde_json::json!({"tabId": 7})).unwrap();
        let req = ToExtension::Req {
            id: "a-1",
            m: "frames",
            p: &p,
            key: "k",
            deadline_ms: 5,
            effect: false,
        };
        assert_eq!(
            serde_json::to_string(&req).unwrap(),
            r#"{"t":"req","id":"a-1","m":"frames","p":{"tabId":7},"key":"k","deadlineMs":5,"effect":false}"#
        );
        assert_eq!(serde_json::to_string(&ToExtension::Greet).unwrap(), r#"{"t":"greet"}"#);
    }
}
