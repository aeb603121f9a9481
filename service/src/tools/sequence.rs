//! Input as one uninterrupted sequence, and what its early end means.

use crate::tab::{OwnedTab, RequestFault};
use crate::tool::Failure;
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::FaultCode;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Ended {
    done: usize,
    stopped: Option<Stopped>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Stopped {
    reason: String,
}

/// How far it got.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sent {
    All,
    /// A dialog opened or the document went away after so many steps: what the page did with it is to be looked at.
    Interrupted(usize),
}

impl Sent {
    /// Of so many steps, when the last ones did not leave.
    pub(crate) fn cut(self, of: usize) -> Option<Cut> {
        match self {
            Self::Interrupted(sent) if sent < of => Some(Cut { sent, of }),
            _ => None,
        }
    }
}

/// The page stopped the input before its last step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) sent: usize,
    pub(crate) of: usize,
}

impl Cut {
    pub(crate) fn told(&self, what: &str) -> String {
        let Self { sent, of } = self;
        format!(
            "{what} was cut short by what the page did: {sent} of {of} steps of the input were sent."
        )
    }
}

/// One step. `session` is where the frame takes its input.
pub(crate) fn step(session: Option<&str>, method: &str, params: Value) -> Value {
    let mut step = json!({ "method": method, "params": params });
    if let Some(session) = session {
        step["session"] = session.into();
    }
    step
}

/// Sends `steps` under `guard`. What was pressed is let go by the extension whatever happens.
pub(crate) async fn send(
    tab: &OwnedTab,
    guard: Value,
    steps: Vec<Value>,
    within: Duration,
) -> Result<Sent, Failure> {
    send_ending(tab, guard, (steps, Vec::new()), within).await
}

/// The same; `last` leaves after the steps, however they end.
pub(crate) async fn send_ending(
    tab: &OwnedTab,
    guard: Value,
    (steps, last): (Vec<Value>, Vec<Value>),
    within: Duration,
) -> Result<Sent, Failure> {
    let count = steps.len();
    let params = json!({ "steps": steps, "finally": last, "guard": guard });
    match tab.effect::<Ended>("cdp.seq", params, within).await {
        Ok(ended) => judge(&ended, count),
        Err(fault) if fault.code == FaultCode::DialogOpen && fault.sent && !fault.lost => {
            Ok(Sent::Interrupted(0))
        }
        Err(fault) => Err(unsent(fault)),
    }
}

/// A document that changed before the first step: nothing left.
fn unsent(fault: RequestFault) -> Failure {
    if fault.code == FaultCode::StaleDocument && !fault.sent && !fault.lost {
        return Failure::not_dispatched(
            "The page was replaced by another document just before the input. No input was sent. \
             Retry: not with the same reference or coordinate. Next step: read the page or take a screenshot again.",
        );
    }
    fault.into()
}

fn judge(ended: &Ended, count: usize) -> Result<Sent, Failure> {
    let Some(stopped) = &ended.stopped else {
        return Ok(Sent::All);
    };
    let cause = match stopped.reason.as_str() {
        "dialog" | "stale_document" => return Ok(Sent::Interrupted(ended.done)),
        // A click on a `mailto:` link, or one that closes the tab, ends the debugging when it is done.
        "detached" if ended.done >= count => return Ok(Sent::Interrupted(ended.done)),
        "paused" => "The person paused Ghostlight",
        "stopped" => "The person stopped Ghostlight",
        "cancelled" => "The call was cancelled",
        "detached" => "The browser ended the debugging of this tab",
        _ => "The input did not end in time",
    };
    let disposition = match stopped.reason.as_str() {
        "paused" | "stopped" => Disposition::Held,
        "cancelled" => Disposition::Cancelled,
        _ => Disposition::ToolFailure,
    };
    Err(Failure {
        disposition,
        own: format!(
            "{cause} after {} steps of the input had been sent; keys and buttons were released. \
             Retry: do not repeat it before looking. Next step: take a screenshot to see what took effect.",
            ended.done
        ),
        page: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_early_end_tells_whether_the_page_is_to_be_looked_at() {
        let cases = [
            (json!({"done": 3}), Ok(Sent::All)),
            (json!({"done": 2, "stopped": {"reason": "dialog"}}), Ok(Sent::Interrupted(2))),
            (json!({"done": 2, "stopped": {"reason": "stale_document"}}), Ok(Sent::Interrupted(2))),
            (json!({"done": 2, "stopped": {"reason": "paused"}}), Err(Disposition::Held)),
            (json!({"done": 2, "stopped": {"reason": "cancelled"}}), Err(Disposition::Cancelled)),
            (json!({"done": 2, "stopped": {"reason": "timeout"}}), Err(Disposition::ToolFailure)),
            (json!({"done": 2, "stopped": {"reason": "detached"}}), Err(Disposition::ToolFailure)),
            (json!({"done": 3, "stopped": {"reason": "detached"}}), Ok(Sent::Interrupted(3))),
        ];
        for (answer, expected) in cases {
            let ended: Ended = serde_json::from_value(answer).unwrap();
            let judged = judge(&ended, 3);
            if let Err(failure) = &judged {
                assert!(failure.own.contains("Retry: do not"), "{}", failure.own);
            }
            assert_eq!(judged.map_err(|failure| failure.disposition), expected);
        }
    }
}
