//! Deadlines, and the end of the conversation.

use super::outcome::{unanswered, unavailable};
use super::requests::{Body, Call, CallState, Request};
use super::{Effects, Session};
use crate::rpc::Fault;
use ghostlight_transport::bridge::{FromEdge, Sequence};
use ghostlight_transport::limits::{EDGE_EXIT, SETTLEMENT};
use std::time::Instant;

const ENDED: &str = "The input ended while this call ran.";
const SILENT: &str = "The Ghostlight service did not answer in time.";

impl Session {
    pub(super) fn expire(&mut self, now: Instant, out: &mut Effects) {
        if self.end.is_some_and(|end| end <= now) {
            return self.give_up(out);
        }
        if self.change.is_some_and(|change| change <= now) {
            self.change = None;
            self.tell_change(out);
        }
        self.tell_late_progress(now, out);
        let late = |request: &Request| request.deadline.is_some_and(|deadline| deadline <= now);
        for sequence in self.requests.select(late) {
            self.overdue(sequence, now, out);
        }
        self.launch(now, out);
    }

    fn overdue(&mut self, sequence: Sequence, now: Instant, out: &mut Effects) {
        let queued = self.admitted
            && self.catalog.is_known()
            && (self.congested || !self.requests.may_start());
        let due = now + self.answer;
        let Some(request) = self.requests.get_mut(sequence) else { return };
        let Body::Call(call) = &mut request.body else {
            self.fail(sequence, &no_answer(), out);
            self.requests.remove(sequence);
            return;
        };
        match &call.state {
            CallState::Waiting(_) if queued && !call.patient => {
                call.patient = true;
                request.deadline = Some(due);
            }
            CallState::Waiting(_) if queued => {
                let text = "Earlier calls of this connector have not ended, so this one was not \
                            dispatched. Retry: safe, once they have been answered.";
                self.refuse_call(sequence, text.to_owned(), out);
            }
            CallState::Waiting(_) => {
                self.fail(sequence, &no_answer(), out);
                self.requests.remove(sequence);
            }
            CallState::Sent(_) | CallState::Started(_) if request.id.is_some() => {
                if let CallState::Started(work) = call.state {
                    out.commands.push(FromEdge::Cancel { work });
                }
                let fault = unanswered(SILENT, call);
                request.deadline = Some(now + SETTLEMENT);
                self.fail(sequence, &fault, out);
            }
            CallState::Sent(_) | CallState::Started(_) => {
                self.requests.remove(sequence);
            }
        }
    }

    /// What has been read still has a moment to be answered.
    pub(super) fn end_of_input(&mut self, now: Instant, out: &mut Effects) {
        self.end.get_or_insert(now + EDGE_EXIT);
        self.change = None;
        if self.needs_service() && !self.admitted {
            out.connect = true;
        }
    }

    /// After the end of the input: over as soon as nobody waits for an answer.
    pub(super) fn end_when_idle(&mut self, out: &mut Effects) {
        if self.end.is_some() && !self.over && !self.requests.any_unanswered() {
            self.finish(out);
        }
    }

    /// The time is up: each request that is still heard gets the truth about itself.
    fn give_up(&mut self, out: &mut Effects) {
        let calls_and_lists = |request: &Request| !matches!(request.body, Body::Listen { .. });
        for sequence in self.requests.select(calls_and_lists) {
            let Some(Request { id: Some(_), body, .. }) = self.requests.get(sequence) else {
                continue;
            };
            let fault = match body {
                Body::Call(call @ Call { state: CallState::Started(work), .. }) => {
                    out.commands.push(FromEdge::Cancel { work: *work });
                    unanswered(ENDED, call)
                }
                Body::Call(call @ Call { state: CallState::Sent(_), .. }) => {
                    unanswered(ENDED, call)
                }
                _ => unavailable("The input ended before the Ghostlight service was ready."),
            };
            self.fail(sequence, &fault, out);
        }
        self.finish(out);
    }

    pub(super) fn stop(&mut self, out: &mut Effects) {
        self.end_subscriptions(out);
        self.finish(out);
    }

    fn finish(&mut self, out: &mut Effects) {
        let started = |request: &Request| {
            request.id.is_some()
                && matches!(&request.body, Body::Call(Call { state: CallState::Started(_), .. }))
        };
        for sequence in self.requests.select(started) {
            self.cancel(sequence, out);
        }
        self.release_implicit(out);
        self.over = true;
        out.exit = true;
    }
}

fn no_answer() -> Fault {
    unavailable(SILENT)
}
