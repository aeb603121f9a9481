//! What the connection to the service brings: admission, loss, and the service's messages.

use super::outcome::{fault_of, unanswered, unavailable};
use super::requests::{Body, Call, CallState, News, Request};
use super::{Effects, Session};
use ghostlight_transport::bridge::{FromService, Rejection, RejectionKind, Sequence};
use std::time::Instant;

impl Session {
    pub(super) fn bridge_admitted(&mut self, now: Instant, out: &mut Effects) {
        self.admitted = true;
        self.congested = false;
        self.ask_again(out);
        self.launch(now, out);
    }

    /// What was sent may have begun: it is answered once and never sent again. What was not sent
    /// waits for the next connection.
    pub(super) fn bridge_lost(&mut self, now: Instant, out: &mut Effects) {
        self.admitted = false;
        self.congested = false;
        self.catalog.forget();
        self.implicit.detach();
        let sent = |request: &Request| {
            matches!(
                &request.body,
                Body::Call(Call { state: CallState::Sent(_) | CallState::Started(_), .. })
            )
        };
        for sequence in self.requests.select(sent) {
            if let Some(Request { body: Body::Call(call), .. }) = self.requests.get(sequence) {
                let fault = unanswered("The connection to the Ghostlight service was lost.", call);
                self.fail(sequence, &fault, out);
            }
            self.requests.remove(sequence);
        }
        if self.needs_service() {
            out.connect = true;
            self.launch(now, out);
        }
    }

    pub(super) fn bridge_unreachable(&mut self, why: &str, out: &mut Effects) {
        let fault = unavailable(why);
        self.fail_waiting(|session, sequence, out| session.fail(sequence, &fault, out), out);
    }

    /// Everything that waits for the service ends in the way of `end`.
    fn fail_waiting(&mut self, end: impl Fn(&mut Self, Sequence, &mut Effects), out: &mut Effects) {
        let waits = |request: &Request| match &request.body {
            Body::List { .. } => true,
            Body::Call(call) => matches!(call.state, CallState::Waiting(_)),
            Body::Listen { .. } => false,
        };
        for sequence in self.requests.select(waits) {
            end(self, sequence, out);
            self.requests.remove(sequence);
        }
    }

    pub(super) fn service(&mut self, message: FromService, now: Instant, out: &mut Effects) {
        match message {
            FromService::Started { sequence, work } => self.started(sequence, work, out),
            FromService::Completed(completed) => {
                self.complete(&completed, out);
                self.launch(now, out);
            }
            FromService::Progress { work, done, total, message } => {
                self.progress(News { work, done, total, message }, now, out);
            }
            FromService::Rejected { sequence, rejection } => {
                self.rejected(sequence, rejection, out);
                self.launch(now, out);
            }
            FromService::Catalog { sequence, projection } => {
                self.projection(sequence, &projection, now, out);
                self.launch(now, out);
            }
            FromService::CatalogChanged { generation } => {
                if self.catalog.changed(generation) {
                    self.tell_change_later(now);
                }
            }
            FromService::WorkspaceOpened { sequence, workspace } => {
                self.workspace_opened(sequence, workspace);
                self.launch(now, out);
            }
            FromService::WorkspaceReleased { .. }
            | FromService::Status { .. }
            | FromService::Stopping { .. } => {}
        }
    }

    fn rejected(&mut self, sequence: Sequence, rejection: Rejection, out: &mut Effects) {
        if self.catalog.is_asked(sequence) || self.implicit.is_opening(sequence) {
            if self.catalog.is_asked(sequence) {
                self.catalog.forget_question();
            } else {
                self.implicit.detach();
            }
            return self.fail_waiting(
                |session, sequence, out| session.reject_waiting(sequence, &rejection, out),
                out,
            );
        }
        let Some(request) = self.requests.get(sequence) else { return };
        match request.body {
            Body::List { .. } => {
                self.fail(sequence, &fault_of(&rejection), out);
                self.requests.remove(sequence);
            }
            // Its client has had an answer, or wants none.
            Body::Call(_) if request.id.is_none() => {
                self.requests.remove(sequence);
            }
            Body::Call(_) => {
                if rejection.kind == RejectionKind::InvalidWorkspace
                    && self.requests.wait_again(sequence)
                {
                    return self.implicit.forget();
                }
                self.reject_call(sequence, rejection, out);
            }
            Body::Listen { .. } => {}
        }
    }

    fn reject_waiting(&mut self, sequence: Sequence, rejection: &Rejection, out: &mut Effects) {
        if self.requests.get(sequence).is_some_and(Request::is_call) {
            self.reject_call(sequence, rejection.clone(), out);
        } else {
            self.fail(sequence, &fault_of(rejection), out);
        }
    }
}
