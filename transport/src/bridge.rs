//! What edge and service say to each other after admission: one JSON value per frame.
//!
//! No MCP revision, JSON-RPC id or method crosses this bridge. Enums are externally tagged because
//! raw JSON slices (`arguments`, `structured`) do not survive serde's internally tagged form.

use ghostlight_handle::{WorkspaceId, expose, expose_option};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Peers of different majors do not talk; a minor adds optional fields only.
pub const BRIDGE_MAJOR: u32 = 1;
pub const BRIDGE_MINOR: u32 = 0;

/// Correlates a request with its first answer; unique on its stream, never reused.
pub type Sequence = u64;
/// Names accepted work on its stream from `started` to `completed`.
pub type WorkId = u64;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromEdge {
    /// Mints a workspace, or takes up `workspace` again if it still lives.
    OpenWorkspace {
        sequence: Sequence,
        #[serde(serialize_with = "expose_option", default)]
        workspace: Option<WorkspaceId>,
        context: Context,
    },
    /// A clean end: the workspace is given up now, not after its idle time.
    ReleaseWorkspace {
        sequence: Sequence,
        #[serde(serialize_with = "expose")]
        workspace: WorkspaceId,
    },
    Catalog {
        sequence: Sequence,
        context: Context,
    },
    Start(Box<Start>),
    Cancel {
        work: WorkId,
    },
    /// Answered on a control connection only.
    Status {
        sequence: Sequence,
    },
    Stop {
        sequence: Sequence,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Start {
    pub sequence: Sequence,
    pub operation: String,
    pub arguments: Box<RawValue>,
    #[serde(serialize_with = "expose_option", default)]
    pub workspace: Option<WorkspaceId>,
    pub context: Context,
    /// Whether anybody will see `progress`.
    #[serde(default)]
    pub progress: bool,
}

/// Facts that travel with one call only and are never merged with another call's.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Context {
    /// Presentation: shown to the person and in the audit, selects and authorises nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// A tighten-only policy for this call, verbatim. Refused until policy exists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restriction: Option<Box<RawValue>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    pub name: String,
    #[serde(default)]
    pub version: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromService {
    WorkspaceOpened {
        sequence: Sequence,
        #[serde(serialize_with = "expose")]
        workspace: WorkspaceId,
    },
    WorkspaceReleased {
        sequence: Sequence,
    },
    Catalog {
        sequence: Sequence,
        projection: Projection,
    },
    CatalogChanged {
        generation: u64,
    },
    Started {
        sequence: Sequence,
        work: WorkId,
    },
    /// Nothing ran and nothing will.
    Rejected {
        sequence: Sequence,
        rejection: Rejection,
    },
    /// `done` grows strictly within one work.
    Progress {
        work: WorkId,
        done: f64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        total: Option<f64>,
        message: String,
    },
    Completed(Box<Completed>),
    Status {
        sequence: Sequence,
        status: Status,
    },
    Stopping {
        sequence: Sequence,
    },
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Completed {
    pub work: WorkId,
    pub outcome: Outcome,
    /// Set when this call created the workspace it ran in or was asked to name it.
    #[serde(serialize_with = "expose_option", default, skip_serializing_if = "Option::is_none")]
    pub workspace: Option<WorkspaceId>,
}

/// How a call ended. See [`Disposition`] for what each promises about effects.
#[derive(Debug, Serialize, Deserialize)]
pub struct Outcome {
    pub disposition: Disposition,
    /// For the model, in order. Never empty.
    pub content: Vec<Block>,
    /// A JSON object; the same facts as `content`. Absent on every outcome but success.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structured: Option<Box<RawValue>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
    Success,
    /// Ended with a known failure; the text says what took effect.
    ToolFailure,
    /// Nothing was sent: a retry is safe.
    NotDispatched,
    Denied,
    /// The person holds the browser.
    Held,
    AttentionRequired,
    /// Cooperative: no proof that nothing happened.
    Cancelled,
    /// An effect may have happened. Never retried, never replayed.
    OutcomeUnknown,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Text(String),
    /// `data` is base64.
    Image {
        mime: String,
        data: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    pub kind: RejectionKind,
    /// Cause, whether a retry is safe, next step; in words.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionKind {
    UnknownOperation,
    InvalidRequest,
    /// Missing, unknown, expired and foreign handles alike.
    InvalidWorkspace,
    Restriction,
    Busy,
    Unavailable,
}

/// The catalog as one edge renders it. The order is the order of the wire.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Projection {
    pub generation: u64,
    pub tools: Vec<ToolDeclaration>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ToolDeclaration {
    pub name: String,
    pub title: String,
    pub description: String,
    pub input: Box<RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Box<RawValue>>,
    pub hints: Hints,
    pub workspace: WorkspaceUse,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hints {
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
    pub open_world: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorkspaceUse {
    Independent,
    Uses,
    Creates,
}

/// Point-in-time facts for `status` and `doctor`; edges are an aggregate, never attributed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    pub version: String,
    pub bridge: (u32, u32),
    pub instance: String,
    /// For logs only.
    pub pid: u32,
    pub uptime_seconds: u64,
    pub live_edges: usize,
    pub workspaces: usize,
    pub active_works: usize,
    pub settling_works: usize,
    pub waiting: usize,
    pub queued_bytes: usize,
    /// Malformed browser messages since the service started.
    pub protocol_errors: u64,
    /// Audit records that could not be written since the service started.
    pub audit_errors: u64,
    /// The last one could not: effects are refused until one can.
    #[serde(default)]
    pub audit_failing: bool,
    pub browsers: Vec<BrowserStatus>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserStatus {
    pub slot: u32,
    pub name: String,
    /// As results name it; the same in every life of the service.
    #[serde(default)]
    pub label: String,
    pub version: String,
    pub extension: String,
    pub connected: bool,
    /// `running`, `paused` or `stopped`.
    pub latch: String,
    pub tabs: usize,
    pub requests: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_cross_the_bridge_as_the_client_wrote_them() {
        let arguments =
            RawValue::from_string(r#"{"tabId": 1.0,"n":9007199254740993}"#.into()).unwrap();
        let start = FromEdge::Start(Box::new(Start {
            sequence: 3,
            operation: "navigate".into(),
            arguments,
            workspace: Some(WorkspaceId::from_entropy([9; 16])),
            context: Context::default(),
            progress: true,
        }));
        let text = serde_json::to_string(&start).unwrap();
        let FromEdge::Start(start) = serde_json::from_str(&text).unwrap() else {
            panic!("a start")
        };
        assert_eq!(start.arguments.get(), r#"{"tabId": 1.0,"n":9007199254740993}"#);
        assert_eq!(start.workspace, Some(WorkspaceId::from_entropy([9; 16])));
    }

    #[test]
    fn a_message_in_debug_form_shows_no_digit_of_a_handle() {
        let workspace = WorkspaceId::from_entropy([0xab; 16]);
        let text = format!("{:?}", FromService::WorkspaceOpened { sequence: 1, workspace });
        assert!(!text.contains("ab"), "{text}");
    }

    #[test]
    fn a_projection_keeps_its_schemas_byte_for_byte() {
        let text = r#"{"catalog":{"sequence":1,"projection":{"generation":2,"tools":[{"name":"explain","title":"t","description":"d","input":{"type": "object"},"hints":{"read_only":true,"destructive":false,"idempotent":true,"open_world":false},"workspace":"independent"}]}}}"#;
        let message: FromService = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
    }
}
