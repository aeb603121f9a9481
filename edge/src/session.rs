//! One client's conversation as a pure machine: events and the time in, lines and commands out.

mod bridge;
mod calls;
mod catalog;
mod ending;
mod gate;
mod listen;
mod outcome;
mod requests;
mod workspace;

use crate::line::Line;
use crate::mcp_2025_11_25::Handshake;
use crate::rpc::{self, Fault, Message};
use catalog::Catalog;
use ghostlight_transport::bridge::{FromEdge, FromService, Sequence};
use ghostlight_transport::limits::EDGE_ANSWER;
use requests::Requests;
use std::time::{Duration, Instant};
use workspace::Implicit;

#[derive(Debug)]
pub enum Event<'a> {
    /// A line of the client.
    Line(Line<'a>),
    /// A service has admitted this edge.
    Admitted,
    /// The connection that had been admitted is gone.
    Lost,
    /// No service can be had now; the words say why and what helps.
    Unreachable(&'a str),
    Service(FromService),
    /// Commands wait: `true` holds further calls back until `false`.
    Congested(bool),
    /// The time of [`Session::deadline`] has come.
    Tick,
    EndOfInput,
    /// A signal, or the end of the parent.
    Stop,
}

/// What an event asks of the world, in this order.
#[derive(Debug, Default)]
pub struct Effects {
    /// Whole lines for stdout.
    pub lines: Vec<u8>,
    pub commands: Vec<FromEdge>,
    /// Lines for stderr.
    pub logs: Vec<String>,
    /// Requests wait for a service.
    pub connect: bool,
    /// Nothing more will come: write what is here, then end.
    pub exit: bool,
}

/// The revision of this process, chosen by the first request that is admitted.
#[derive(Debug)]
enum Era {
    Unchosen,
    Mcp20251125(Handshake),
    Mcp20260728,
}

/// The revision by which one request is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Revision {
    Mcp20251125,
    Mcp20260728,
}

#[derive(Debug)]
pub struct Session {
    era: Era,
    /// The probe of 2026-07-28 has been told of, or its choice.
    told_20260728: bool,
    requests: Requests,
    catalog: Catalog,
    implicit: Implicit,
    /// A service is there.
    admitted: bool,
    congested: bool,
    last: Sequence,
    /// How long a call that was sent may take.
    answer: Duration,
    /// When the changed list will be told of.
    change: Option<Instant>,
    /// When the process ends, whatever waits.
    end: Option<Instant>,
    over: bool,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            era: Era::Unchosen,
            told_20260728: false,
            requests: Requests::default(),
            catalog: Catalog::default(),
            implicit: Implicit::default(),
            admitted: false,
            congested: false,
            last: 0,
            answer: EDGE_ANSWER,
            change: None,
            end: None,
            over: false,
        }
    }
}

impl Session {
    /// With less time for calls than [`EDGE_ANSWER`].
    #[must_use]
    pub fn answering_within(time: Duration) -> Self {
        Self { answer: time.min(EDGE_ANSWER), ..Self::default() }
    }

    pub fn on(&mut self, event: Event<'_>, now: Instant, out: &mut Effects) {
        if self.over {
            return;
        }
        match event {
            Event::Line(line) => self.line(line, now, out),
            Event::Admitted => self.bridge_admitted(now, out),
            Event::Lost => self.bridge_lost(now, out),
            Event::Unreachable(why) => self.bridge_unreachable(why, out),
            Event::Service(message) => self.service(message, now, out),
            Event::Congested(congested) => {
                self.congested = congested;
                self.launch(now, out);
            }
            Event::Tick => self.expire(now, out),
            Event::EndOfInput => self.end_of_input(now, out),
            Event::Stop => self.stop(out),
        }
        self.end_when_idle(out);
    }

    /// When [`Event::Tick`] is due; `None` while nothing waits.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        if self.over {
            return None;
        }
        [self.requests.deadline(), self.change, self.end].into_iter().flatten().min()
    }

    /// Whether a request waits for the service.
    #[must_use]
    pub fn needs_service(&self) -> bool {
        !self.over && self.requests.any_waiting()
    }

    /// Whether so many requests wait that reading on would soon mean refusing.
    #[must_use]
    pub fn is_crowded(&self) -> bool {
        self.requests.is_crowded()
    }

    fn line(&mut self, line: Line<'_>, now: Instant, out: &mut Effects) {
        let bytes = match line {
            Line::Text(bytes) => bytes,
            Line::TooLong => {
                let fault = Fault::new(rpc::PARSE, "Parse error: the line is longer than 16 MiB");
                return rpc::refuse(&mut out.lines, None, &fault);
            }
        };
        let text = match rpc::readable(bytes) {
            Ok(text) => text,
            Err(fault) => return rpc::refuse(&mut out.lines, None, &fault),
        };
        match rpc::read(&text) {
            Ok(Message::Request(request)) => self.request(&request, now, out),
            Ok(Message::Notification { method, params }) => {
                self.notification(&method, params, now, out);
            }
            Ok(Message::Response) => {
                out.logs.push("dropped an answer: this server sends no requests".to_owned());
            }
            Err(refusal) => {
                rpc::refuse(&mut out.lines, refusal.id.map(|id| id.get()), &refusal.fault);
            }
        }
    }

    fn next_sequence(&mut self) -> Sequence {
        self.last += 1;
        self.last
    }
}

#[cfg(test)]
mod tests;
