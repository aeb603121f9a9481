//! How an answer to a call looks: results, errors with a disposition, and our own refusals.

use super::requests::{Body, Call, Request};
use super::{Effects, Revision, Session};
use crate::render;
use crate::rpc::{self, Fault};
use crate::{mcp_2025_11_25, mcp_2026_07_28};
use ghostlight_transport::bridge::{
    Block, Completed, Disposition, Rejection, RejectionKind, Sequence,
};
use ghostlight_transport::limits::STDOUT_LINE_BYTES;

pub(super) const UNAVAILABLE: i32 = -33001;
const OUTCOME_UNKNOWN: i32 = -33003;

pub(super) fn unavailable(why: &str) -> Fault {
    let message = format!(
        "{why} Nothing ran. Retry: safe. Next step: if it goes on, run `ghostlight doctor`."
    );
    Fault::new(UNAVAILABLE, message).with_data(r#"{"disposition":"not_dispatched"}"#)
}

/// A call that had left got no answer. What only reads changed nothing, whatever became of it.
pub(super) fn unanswered(why: &str, call: &Call) -> Fault {
    if !call.reads {
        let message = format!(
            "{why} The call may have taken effect. Retry: do not retry it. Next step: inspect the \
             state of the page, then decide."
        );
        return outcome_unknown(message);
    }
    let message = format!(
        "{why} The call only reads, so nothing was changed. Retry: safe. Next step: if it goes on, \
         run `ghostlight doctor`."
    );
    Fault::new(UNAVAILABLE, message).with_data(r#"{"disposition":"tool_failure"}"#)
}

fn outcome_unknown(message: String) -> Fault {
    Fault::new(OUTCOME_UNKNOWN, message).with_data(r#"{"disposition":"outcome_unknown"}"#)
}

/// The service refused to do what a request waits for.
pub(super) fn fault_of(rejection: &Rejection) -> Fault {
    let code = match rejection.kind {
        RejectionKind::Busy | RejectionKind::Unavailable => UNAVAILABLE,
        RejectionKind::Restriction
        | RejectionKind::InvalidRequest
        | RejectionKind::UnknownOperation
        | RejectionKind::InvalidWorkspace => rpc::INVALID_PARAMS,
    };
    Fault::new(code, rejection.message.clone()).with_data(r#"{"disposition":"not_dispatched"}"#)
}

pub(super) fn unknown_tool(name: &str) -> Fault {
    Fault::params(format!("Unknown tool: {}", name.chars().take(128).collect::<String>()))
}

impl Session {
    /// An error for a request; whatever it had in flight goes on unheard.
    pub(super) fn fail(&mut self, sequence: Sequence, fault: &Fault, out: &mut Effects) {
        if let Some(id) = self.requests.silence(sequence) {
            rpc::refuse(&mut out.lines, Some(&id.raw), fault);
        }
    }

    /// A result that is an error in words: nothing was dispatched.
    pub(super) fn refuse_call(&mut self, sequence: Sequence, text: String, out: &mut Effects) {
        if let Some(Request { id: Some(id), revision, .. }) = self.requests.remove(sequence) {
            answer_failure(out, &id.raw, revision, &[Block::Text(text)]);
        }
    }

    /// One text for a missing, malformed, unknown, ended and foreign workspace.
    pub(super) fn refuse_workspace(&mut self, sequence: Sequence, out: &mut Effects) {
        let text = format!(
            "This call names no workspace of yours that is alive: workspaceId is missing or is not one. \
             Nothing ran. Retry: safe, with one. Next step: call {} and pass the workspaceId it returns in every later call.",
            self.catalog.creators()
        );
        self.refuse_call(sequence, text, out);
    }

    pub(super) fn reject_call(
        &mut self,
        sequence: Sequence,
        rejection: Rejection,
        out: &mut Effects,
    ) {
        let Some(request) = self.requests.get(sequence) else { return };
        let Body::Call(call) = &request.body else { return };
        match (rejection.kind, request.revision) {
            (RejectionKind::UnknownOperation, _) => {
                let fault = unknown_tool(&call.name);
                self.fail(sequence, &fault, out);
                self.requests.remove(sequence);
            }
            (RejectionKind::Unavailable, _) => {
                self.fail(sequence, &fault_of(&rejection), out);
                self.requests.remove(sequence);
            }
            (RejectionKind::InvalidWorkspace, Revision::Mcp20260728) => {
                self.refuse_workspace(sequence, out);
            }
            _ => self.refuse_call(sequence, rejection.message, out),
        }
    }

    pub(super) fn complete(&mut self, completed: &Completed, out: &mut Effects) {
        let Some(sequence) = self.requests.working(completed.work) else { return };
        let Some(Request { id: Some(id), revision, .. }) = self.requests.remove(sequence) else {
            return;
        };
        let outcome = &completed.outcome;
        let start = out.lines.len();
        match outcome.disposition {
            Disposition::Success => answer_result(out, &id.raw, revision, |out| {
                let created = match revision {
                    Revision::Mcp20251125 => None,
                    Revision::Mcp20260728 => completed.workspace.as_ref(),
                };
                render::success(out, outcome, created);
            }),
            Disposition::OutcomeUnknown => {
                let fault = outcome_unknown(render::plain(&outcome.content));
                rpc::refuse(&mut out.lines, Some(&id.raw), &fault);
            }
            Disposition::ToolFailure
            | Disposition::NotDispatched
            | Disposition::Denied
            | Disposition::Held
            | Disposition::AttentionRequired
            | Disposition::Cancelled => {
                answer_failure(out, &id.raw, revision, &outcome.content);
            }
        }
        let bytes = out.lines.len() - start;
        if bytes > STDOUT_LINE_BYTES {
            out.lines.truncate(start);
            out.logs.push(format!("an answer of {bytes} bytes was too long for one line"));
            answer_failure(out, &id.raw, revision, &[Block::Text(too_long(bytes))]);
        }
    }
}

fn too_long(bytes: usize) -> String {
    format!(
        "The call has ended, but its answer of {bytes} bytes is longer than a client can read. What \
         it did has been done. Retry: do not repeat an action. Next step: ask for a smaller part of \
         the result."
    )
}

pub(super) fn answer_failure(out: &mut Effects, id: &str, revision: Revision, content: &[Block]) {
    answer_result(out, id, revision, |out| render::failure(out, content));
}

fn answer_result(
    out: &mut Effects,
    id: &str,
    revision: Revision,
    members: impl FnOnce(&mut Vec<u8>),
) {
    rpc::answer(&mut out.lines, id, |out| match revision {
        Revision::Mcp20251125 => mcp_2025_11_25::result(out, members),
        Revision::Mcp20260728 => mcp_2026_07_28::result(out, members),
    });
}
