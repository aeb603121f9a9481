//! Ways to cut the line between a client and a page in its middle.

use crate::binaries::{CONNECTOR, SERVICE};
use crate::chromium::Chromium;
use crate::home::Home;
use crate::process::{Process, send};
use crate::reply::Reply;
use rustix::process::Signal;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// The connector is killed.
    Connector,
    /// The service is killed.
    Service,
    /// The extension's worker is ended.
    Worker,
    /// The extension reloads itself.
    Reload,
    /// The client's edge is killed.
    Edge,
    /// The connector stands still for a while, as a suspended machine's does.
    ConnectorStill,
    /// So does the service.
    ServiceStill,
    /// The browser is killed and started again.
    Browser,
}

/// Longer than the connector waits for a service that takes nothing, shorter than any deadline of a call.
const STILL: Duration = Duration::from_millis(1500);

impl Cut {
    pub const ALL: [Self; 8] = [
        Self::Connector,
        Self::Service,
        Self::Worker,
        Self::Reload,
        Self::Edge,
        Self::ConnectorStill,
        Self::ServiceStill,
        Self::Browser,
    ];

    /// Cuts that far from now. Gives whether there was something to cut.
    pub fn make(
        self,
        after: Duration,
        home: &Home,
        chromium: &mut Chromium,
        edge: Option<&mut Process>,
    ) -> bool {
        let at = Instant::now() + after;
        let program = match self {
            Self::Connector | Self::ConnectorStill => CONNECTOR,
            Self::Service | Self::ServiceStill => SERVICE,
            // Looking for it takes time; cutting must not.
            Self::Worker | Self::Reload | Self::Edge | Self::Browser => "",
        };
        let doomed = if program.is_empty() { Vec::new() } else { home.running(program) };
        let worker = match self {
            Self::Worker | Self::Reload => chromium.worker(),
            _ => None,
        };
        std::thread::sleep(at.saturating_duration_since(Instant::now()));
        match (self, worker) {
            (Self::Connector | Self::Service, _) => {
                doomed.iter().for_each(|pid| send(*pid, Signal::KILL));
                !doomed.is_empty()
            }
            (Self::ConnectorStill | Self::ServiceStill, _) => {
                doomed.iter().for_each(|pid| send(*pid, Signal::STOP));
                std::thread::sleep(STILL);
                doomed.iter().for_each(|pid| send(*pid, Signal::CONT));
                !doomed.is_empty()
            }
            (Self::Browser, _) => {
                chromium.restart(home);
                true
            }
            (Self::Worker, Some(worker)) => {
                // It may have ended by itself meanwhile.
                let target = json!({"targetId": worker});
                chromium.judge.command("", "Target.closeTarget", target).is_ok()
            }
            (Self::Reload, Some(worker)) => {
                chromium.reload_extension(&worker);
                true
            }
            (Self::Worker | Self::Reload, None) => false,
            (Self::Edge, _) => edge.is_some_and(|edge| {
                edge.kill();
                true
            }),
        }
    }
}

/// What a client may conclude from an answer about an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    Done,
    /// Nothing was done, and the answer says so.
    NotSent,
    /// It may have been done.
    Unknown,
    /// The edge that would have answered is gone.
    NoAnswer,
    /// The answer says none of these.
    Unclear,
}

impl End {
    /// Of an answer, by its code, or by its words as a model reads them.
    #[must_use]
    pub fn of(response: Option<Value>) -> (Self, String) {
        const OUTCOME_UNKNOWN: i64 = -33003;
        const UNAVAILABLE: i64 = -33001;
        let Some(response) = response else { return (Self::NoAnswer, String::new()) };
        let reply = Reply::read(response);
        let words = reply.words().to_owned();
        let nothing = [
            "Nothing was done",
            "Nothing was changed",
            "changed nothing",
            "not done",
            "No input was sent",
        ];
        let end = match reply.code() {
            OUTCOME_UNKNOWN => Self::Unknown,
            UNAVAILABLE => Self::NotSent,
            0 if reply.is_success() => Self::Done,
            0 if nothing.iter().any(|said| words.contains(said)) => Self::NotSent,
            // A tab that the service does not know was sent nothing.
            0 if words.contains("no such tab") || words.contains("tabs_context_mcp") => {
                Self::NotSent
            }
            _ => Self::Unclear,
        };
        (end, words)
    }

    /// Whether that many happenings of the effect agree with the answer.
    #[must_use]
    pub fn agrees(self, times: usize) -> bool {
        match self {
            Self::Done => times == 1,
            Self::NotSent => times == 0,
            Self::Unknown | Self::NoAnswer => times <= 1,
            Self::Unclear => false,
        }
    }
}
