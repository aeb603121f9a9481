//! Which workspace a call runs in: the implicit one of 2025-11-25, or the one its arguments name.

use super::{Effects, Era, Session};
use crate::json;
use crate::mcp_2026_07_28::WORKSPACE;
use ghostlight_transport::bridge::{Context, FromEdge, Sequence};
use ghostlight_transport::handle::WorkspaceId;
use serde_json::value::RawValue;

/// The one workspace of a 2025-11-25 process.
#[derive(Debug)]
pub(super) enum Implicit {
    /// Not open on this connection; what an earlier one had is taken up again if it lives.
    Closed(Option<WorkspaceId>),
    Opening(Sequence, Option<WorkspaceId>),
    Open(WorkspaceId),
}

impl Default for Implicit {
    fn default() -> Self {
        Self::Closed(None)
    }
}

impl Implicit {
    /// The connection is gone, the workspace maybe not.
    pub(super) fn detach(&mut self) {
        *self = Self::Closed(match std::mem::take(self) {
            Self::Closed(had) | Self::Opening(_, had) => had,
            Self::Open(had) => Some(had),
        });
    }

    /// The service no longer knows the workspace that `lost` ran in.
    pub(super) fn forget(&mut self) {
        if let Self::Open(_) = self {
            *self = Self::Closed(None);
        }
    }

    pub(super) fn is_opening(&self, sequence: Sequence) -> bool {
        matches!(self, Self::Opening(opening, _) if *opening == sequence)
    }
}

impl Session {
    /// The implicit workspace, or `None` while it is being opened.
    pub(super) fn implicit(&mut self, out: &mut Effects) -> Option<WorkspaceId> {
        let had = match &self.implicit {
            Implicit::Open(workspace) => return Some(workspace.clone()),
            Implicit::Opening(..) => return None,
            Implicit::Closed(had) => had.clone(),
        };
        let sequence = self.next_sequence();
        let client = match &self.era {
            Era::Mcp20251125(handshake) => handshake.client.clone(),
            _ => None,
        };
        let context = Context { client, restriction: None };
        self.implicit = Implicit::Opening(sequence, had.clone());
        out.commands.push(FromEdge::OpenWorkspace { sequence, workspace: had, context });
        None
    }

    pub(super) fn workspace_opened(&mut self, sequence: Sequence, workspace: WorkspaceId) {
        if self.implicit.is_opening(sequence) {
            self.implicit = Implicit::Open(workspace);
        }
    }

    pub(super) fn release_implicit(&mut self, out: &mut Effects) {
        if let (Implicit::Open(workspace), true) =
            (std::mem::take(&mut self.implicit), self.admitted)
        {
            let sequence = self.next_sequence();
            out.commands.push(FromEdge::ReleaseWorkspace { sequence, workspace });
        }
    }
}

/// The workspace that arguments name, and the arguments without it.
#[derive(Debug)]
pub(super) enum Named {
    Nothing,
    Workspace(WorkspaceId, Box<RawValue>),
    /// A value that names none: not a string, not a handle, or given twice.
    Garbage,
}

pub(super) fn named(arguments: &RawValue) -> Named {
    let Some(found) = json::members(arguments.get(), &[WORKSPACE]) else { return Named::Garbage };
    let [Some(value)] = found.values else { return Named::Nothing };
    let workspace = json::text(value).and_then(|text| text.parse().ok());
    match (workspace, found.repeated, without_workspace(arguments)) {
        (Some(workspace), None, Some(rest)) => Named::Workspace(workspace, rest),
        _ => Named::Garbage,
    }
}

fn without_workspace(arguments: &RawValue) -> Option<Box<RawValue>> {
    let mut rest = vec![b'{'];
    for (name, value) in json::entries(arguments.get())? {
        if name == WORKSPACE {
            continue;
        }
        if rest.len() > 1 {
            rest.push(b',');
        }
        json::push_text(&mut rest, &name);
        rest.push(b':');
        rest.extend_from_slice(value.get().as_bytes());
    }
    rest.push(b'}');
    RawValue::from_string(String::from_utf8(rest).ok()?).ok()
}
