//! `tools/call` from its admission to the service's first word on it, and its cancellation.

use super::gate::Admission;
use super::outcome::{answer_failure, unknown_tool};
use super::requests::{
    Body, Call, CallState, ClientId, News, Progress, Request, Unsent, call_weight,
};
use super::workspace::{Named, named};
use super::{Effects, Revision, Session};
use crate::json;
use crate::params;
use crate::rpc::{self, Fault};
use ghostlight_transport::bridge::{
    Block, Context, FromEdge, Sequence, Start, WorkId, WorkspaceUse,
};
use ghostlight_transport::handle::WorkspaceId;
use ghostlight_transport::limits::EDGE_CONNECT;
use serde_json::value::RawValue;
use std::time::Instant;

/// Longer arguments are not kept for a second attempt.
const KEPT_ARGUMENTS: usize = 64 * 1024;

impl Session {
    pub(super) fn call(
        &mut self,
        admission: &Admission<'_>,
        out: &mut Effects,
    ) -> Result<(), Fault> {
        let (name, arguments) = params::call(&admission.params)?;
        let token = params::token(&admission.params.meta)?;
        let context =
            Context { client: self.client(admission), restriction: self.restriction(admission) };
        let unsent = Unsent { arguments: arguments.map(ToOwned::to_owned), context };
        if !self.requests.has_room(call_weight(&name, &unsent)) {
            let text = "Too many requests wait at this connector, so this one was not dispatched. \
                        Retry: safe, once earlier calls have been answered.";
            let content = [Block::Text(text.to_owned())];
            answer_failure(out, admission.id.get(), admission.revision, &content);
            return Ok(());
        }
        let progress = token.map(|token| Progress::new(token.get()));
        let state = CallState::Waiting(unsent);
        let request = Request {
            id: Some(ClientId::new(admission.id)),
            revision: admission.revision,
            deadline: Some(admission.now + EDGE_CONNECT),
            body: Body::Call(Call {
                name,
                reads: false,
                state,
                progress,
                reopened: false,
                patient: false,
            }),
        };
        let sequence = self.next_sequence();
        self.requests.insert(sequence, request);
        self.launch(admission.now, out);
        Ok(())
    }

    /// Sends waiting calls in their order as far as service, catalog and workspace allow.
    pub(super) fn launch(&mut self, now: Instant, out: &mut Effects) {
        while let Some(sequence) = self.requests.first_waiting() {
            if !self.admitted {
                out.connect = true;
                return;
            }
            if !self.catalog.is_known() {
                return self.ask_catalog(out);
            }
            if self.congested || !self.requests.may_start() {
                return;
            }
            let Some(Request { revision, body: Body::Call(call), .. }) =
                self.requests.get_mut(sequence)
            else {
                return;
            };
            let Some(traits) = self.catalog.traits(&call.name) else {
                let fault = unknown_tool(&call.name);
                self.fail(sequence, &fault, out);
                self.requests.remove(sequence);
                continue;
            };
            call.reads = traits.reads;
            match (traits.workspace, *revision) {
                (WorkspaceUse::Independent, _) => self.send(None, now, out),
                (_, Revision::Mcp20251125) => match self.implicit(out) {
                    Some(workspace) => self.send(Some(workspace), now, out),
                    None => return,
                },
                (_, Revision::Mcp20260728) => self.send_named(sequence, traits.workspace, now, out),
            }
        }
    }

    /// Sends a call whose workspace its arguments name, or refuses it.
    fn send_named(
        &mut self,
        sequence: Sequence,
        uses: WorkspaceUse,
        now: Instant,
        out: &mut Effects,
    ) {
        let Some(request) = self.requests.get_mut(sequence) else { return };
        let Body::Call(Call { state: CallState::Waiting(unsent), .. }) = &mut request.body else {
            return;
        };
        let found = unsent.arguments.as_deref().map_or(Named::Nothing, named);
        match found {
            Named::Workspace(workspace, rest) => {
                self.requests.replace_arguments(sequence, rest);
                self.send(Some(workspace), now, out);
            }
            Named::Nothing if uses == WorkspaceUse::Creates => self.send(None, now, out),
            Named::Nothing | Named::Garbage => self.refuse_workspace(sequence, out),
        }
    }

    fn send(&mut self, workspace: Option<WorkspaceId>, now: Instant, out: &mut Effects) {
        let Some((sequence, unsent)) = self.requests.send_first() else { return };
        let due = now + self.answer;
        let Some(request) = self.requests.get_mut(sequence) else { return };
        request.deadline = Some(due);
        let Body::Call(call) = &mut request.body else { return };
        let implicit = workspace.is_some() && request.revision == Revision::Mcp20251125;
        let small = call_weight(&call.name, &unsent) <= KEPT_ARGUMENTS;
        if implicit && small && !call.reopened {
            call.state = CallState::Sent(Some(unsent.clone()));
        }
        let Unsent { arguments, context } = unsent;
        out.commands.push(FromEdge::Start(Box::new(Start {
            sequence,
            operation: call.name.clone(),
            arguments: arguments.unwrap_or_else(no_arguments),
            workspace,
            context,
            progress: call.progress.is_some(),
        })));
    }

    pub(super) fn started(&mut self, sequence: Sequence, work: WorkId, out: &mut Effects) {
        let Some(request) = self.requests.start(sequence, work) else { return };
        if request.id.is_none() {
            out.commands.push(FromEdge::Cancel { work });
        }
    }

    /// The client wants no answer any more: from now on it gets none.
    pub(super) fn cancel(&mut self, sequence: Sequence, out: &mut Effects) {
        let Some(request) = self.requests.get(sequence) else { return };
        match &request.body {
            Body::Call(Call { state: CallState::Sent(_), .. }) => {
                self.requests.silence(sequence);
            }
            Body::Call(Call { state: CallState::Started(work), .. }) => {
                out.commands.push(FromEdge::Cancel { work: *work });
                self.requests.silence(sequence);
            }
            Body::Call(_) | Body::List { .. } | Body::Listen { .. } => {
                self.requests.remove(sequence);
            }
        }
    }

    pub(super) fn progress(&mut self, news: News, now: Instant, out: &mut Effects) {
        let Some(sequence) = self.requests.working(news.work) else { return };
        if let Some(progress) = self.requests.heard_progress(sequence) {
            let grows = progress.told.is_none_or(|(_, done)| news.done > done);
            if grows && json::number(news.done).is_some() {
                progress.news = Some(news);
                progress.tell(now, out);
            }
        }
    }

    /// What came too soon after the line before it.
    pub(super) fn tell_late_progress(&mut self, now: Instant, out: &mut Effects) {
        let due = |request: &Request| request.progress_due().is_some_and(|due| due <= now);
        for sequence in self.requests.select(due) {
            if let Some(progress) = self.requests.heard_progress(sequence) {
                progress.tell(now, out);
            }
        }
    }
}

impl Progress {
    /// The latest news, unless a line has just been written.
    fn tell(&mut self, now: Instant, out: &mut Effects) {
        if self.due().is_some_and(|due| due > now) {
            return;
        }
        let Some(News { done, total, message, .. }) = self.news.take() else { return };
        self.told = Some((now, done));
        rpc::notify(&mut out.lines, "notifications/progress", |out| {
            out.extend_from_slice(b"\"progressToken\":");
            out.extend_from_slice(self.token.as_bytes());
            out.extend_from_slice(b",\"progress\":");
            out.extend_from_slice(json::number(done).unwrap_or_default().as_bytes());
            if let Some(total) = total.and_then(json::number) {
                out.extend_from_slice(b",\"total\":");
                out.extend_from_slice(total.as_bytes());
            }
            out.extend_from_slice(b",\"message\":");
            json::push_text(out, &message);
        });
    }
}

fn no_arguments() -> Box<RawValue> {
    RawValue::from_string("{}".to_owned()).unwrap_or_default()
}
