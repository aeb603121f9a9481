//! Why a request to the browser gave no value, and what that means for a call that has nothing to add.

use crate::render;
use crate::tool::Failure;
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::FaultCode;
use serde_json::Value;

/// Why a request to the browser gave no value.
#[derive(Debug, Clone)]
pub(crate) struct RequestFault {
    pub(crate) code: FaultCode,
    /// The browser's words or the page agent's code; never shown to a model unescaped.
    pub(crate) message: String,
    pub(crate) detail: Option<Value>,
    /// Some of an effect left, or may have.
    pub(crate) sent: bool,
    /// The answer never came: an effect's outcome is unknown.
    pub(crate) lost: bool,
}

impl RequestFault {
    /// Refused before anything left.
    pub(crate) fn unsent(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), detail: None, sent: false, lost: false }
    }

    /// No answer: for an effect that means it may have happened.
    pub(crate) fn lost(code: FaultCode, message: impl Into<String>, effect: bool) -> Self {
        Self { code, message: message.into(), detail: None, sent: effect, lost: true }
    }
}

impl From<RequestFault> for Failure {
    /// The default words for each fault; tools say it better where they can.
    fn from(fault: RequestFault) -> Self {
        if fault.lost && fault.sent {
            return Self::unknown(
                "The browser did not say how this ended, so it may have taken effect. Retry: do not retry it. \
                 Next step: look at the page (read_page, or computer with action screenshot) to see what happened.",
            );
        }
        if fault.lost {
            return Self::tool(
                "The browser did not answer in time. Nothing was changed. Retry: safe. \
                 Next step: call tabs_context_mcp first, to see which tabs are there.",
            );
        }
        if let Some(failure) = held_by_another(&fault) {
            return failure;
        }
        let (disposition, cause) = words(fault.code);
        let failure = if fault.sent {
            // What the rest of the words promise holds only for a call that had done nothing.
            let what = cause.split_inclusive(". ").next().unwrap_or(cause).trim_end();
            let first = match fault.code {
                FaultCode::DialogOpen => "answer it with the dialog tool, then look at the page",
                _ => "look at the page first",
            };
            Self::tool(format!(
                "{what} Part of this call had already been done. Retry: do not simply repeat it. Next step: {first}."
            ))
        } else {
            Self { disposition, own: cause.into(), page: None }
        };
        let quotes = matches!(fault.code, FaultCode::Cdp | FaultCode::Page | FaultCode::Internal);
        if quotes && !fault.message.is_empty() {
            failure.with_page("unknown", fault.message)
        } else {
            failure
        }
    }
}

/// A page and its popup share a renderer: a dialog of one holds the other back. Without a number it is a tab of
/// somebody else, who alone can answer.
fn held_by_another(fault: &RequestFault) -> Option<Failure> {
    let detail = fault.detail.as_ref().filter(|_| fault.code == FaultCode::DialogOpen)?;
    let tab = detail.get("tabId")?.as_i64();
    let text = |name: &str| detail.get(name).and_then(Value::as_str).unwrap_or_default();
    let (done, retry) = match fault.sent {
        true => ("Part of this call had already been done.", "do not simply repeat it"),
        false => ("Nothing was done.", "safe, once that is answered"),
    };
    let (place, next) = match tab {
        Some(tab) => {
            (format!("tabId {tab}"), format!("answer it with the dialog tool in tabId {tab}"))
        }
        None => (
            "a tab that is not this workspace's".to_owned(),
            "tell the person, who can answer it".to_owned(),
        ),
    };
    let own = format!(
        "This tab does not answer while a dialog is open in {place}, since both share a renderer. {done} \
         Retry: {retry}. Next step: {next}."
    );
    let disposition =
        if fault.sent { Disposition::ToolFailure } else { Disposition::NotDispatched };
    let dialog = || format!("dialog: {}", render::dialog(text("type"), text("message")));
    Some(Failure { disposition, own, page: tab.map(|_| ("unknown".into(), dialog())) })
}

fn words(code: FaultCode) -> (Disposition, &'static str) {
    use Disposition::{NotDispatched, ToolFailure};
    match code {
        FaultCode::NotAdopted | FaultCode::TabClosed => (
            NotDispatched,
            "The tab is closed or no longer this workspace's. Nothing was done. Retry: not with this tabId. Next step: call tabs_context_mcp for the tabs there are.",
        ),
        FaultCode::TabDiscarded => (
            NotDispatched,
            "The browser has put this tab to sleep and does not draw it until it is shown. Nothing was done. Retry: safe, once it was shown. \
             Next step: show it (tab_control with action focus), or open its address in another tab.",
        ),
        FaultCode::RestrictedPage => (
            NotDispatched,
            "The browser lets no extension work on this page. Nothing was done. Retry: does not help. \
             Next step: navigate the tab to an http or https address.",
        ),
        FaultCode::AttachDenied | FaultCode::Detached => (
            NotDispatched,
            "The browser ended or refused the debugging of this tab, often because the person closed its bar. Nothing was done. \
             Retry: does not help. Next step: ask the person, then open a new tab with tabs_create_mcp.",
        ),
        FaultCode::StaleDocument | FaultCode::Navigated => (
            ToolFailure,
            "The page was replaced by another document meanwhile. Nothing was done in the new one. Retry: not with the same references. \
             Next step: read the page again and use its new references.",
        ),
        FaultCode::DialogOpen => (
            NotDispatched,
            "A dialog of the page is open and blocks everything else. Nothing was done. Retry: safe, once it is answered. \
             Next step: answer it with the dialog tool.",
        ),
        FaultCode::Timeout => (
            ToolFailure,
            "The page did not finish in time. Nothing was changed. Retry: safe, after a wait. \
             Next step: wait (computer with action wait).",
        ),
        FaultCode::Busy => (
            NotDispatched,
            "Too many commands are waiting in the browser. Nothing was done. Retry: safe, once running calls have ended.",
        ),
        _ => refusal(code),
    }
}

fn refusal(code: FaultCode) -> (Disposition, &'static str) {
    use Disposition::{Cancelled, Held, ToolFailure};
    match code {
        FaultCode::Cancelled => {
            (Cancelled, "The call was cancelled before this step. Retry: safe.")
        }
        FaultCode::Paused => (
            Held,
            "The person has paused Ghostlight and holds the browser. Nothing was done. Retry: safe, once they resume; not in a loop. \
             Next step: tell the person and wait until they resume.",
        ),
        FaultCode::Stopped => (
            Held,
            "The person has stopped Ghostlight. Nothing was done. Retry: does not help until they start it again. \
             Next step: ask the person to start it again in the extension's popup.",
        ),
        FaultCode::Crashed => (
            ToolFailure,
            "The page has crashed, and nothing in it can be read or used. Nothing was done. Retry: does not help. \
             Next step: navigate the tab to its address to load it again; if it crashes again, tell the person.",
        ),
        FaultCode::TooLarge => (
            ToolFailure,
            "The answer or the command is larger than what may travel. Retry: does not help. \
             Next step: ask for less.",
        ),
        FaultCode::Page | FaultCode::Cdp | FaultCode::Internal => (
            ToolFailure,
            "The browser reported an error. Retry: not before looking. Next step: look at the page, then decide.",
        ),
        FaultCode::BadRequest | FaultCode::Unsupported => (
            ToolFailure,
            "The extension does not understand this command. Retry: does not help. \
             Next step: run `ghostlight doctor`; extension and service may be of different versions.",
        ),
        _ => (
            ToolFailure,
            "The browser reported an error. Retry: not before looking. Next step: look at the page, then decide.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::scripted::Scripted;
    use ghostlight_transport::limits::PAGE_CALL;
    use serde_json::json;

    #[test]
    fn a_lost_effect_is_unknown_and_a_lost_read_is_not() {
        let failure = Failure::from(RequestFault::lost(FaultCode::Timeout, "", true));
        assert_eq!(failure.disposition, Disposition::OutcomeUnknown);
        assert!(failure.own.contains("Retry: do not"));
        let failure = Failure::from(RequestFault::lost(FaultCode::Timeout, "", false));
        assert_eq!(failure.disposition, Disposition::ToolFailure);
    }

    #[test]
    fn a_known_partial_effect_says_so_and_never_promises_a_safe_retry() {
        let mut fault = RequestFault::unsent(FaultCode::Paused, "");
        assert_eq!(Failure::from(fault.clone()).disposition, Disposition::Held);
        fault.sent = true;
        let failure = Failure::from(fault);
        assert_eq!(failure.disposition, Disposition::ToolFailure);
        assert!(failure.own.contains("already been done"));
        for code in [
            FaultCode::Paused,
            FaultCode::Stopped,
            FaultCode::Timeout,
            FaultCode::StaleDocument,
            FaultCode::Busy,
            FaultCode::TabDiscarded,
            FaultCode::DialogOpen,
            FaultCode::Crashed,
        ] {
            let fault = RequestFault { sent: true, ..RequestFault::unsent(code, "") };
            let text = Failure::from(fault).own;
            for promise in ["Nothing was", "Retry: safe"] {
                assert!(!text.contains(promise), "{text}");
            }
        }
    }

    #[test]
    fn what_was_refused_before_anything_left_says_that_nothing_was_done() {
        for code in [
            FaultCode::NotAdopted,
            FaultCode::TabClosed,
            FaultCode::TabDiscarded,
            FaultCode::RestrictedPage,
            FaultCode::AttachDenied,
            FaultCode::Detached,
            FaultCode::DialogOpen,
            FaultCode::Busy,
            FaultCode::Crashed,
            FaultCode::Paused,
            FaultCode::Stopped,
        ] {
            let text = Failure::from(RequestFault::unsent(code, "")).own;
            assert!(text.contains("Nothing was done"), "{code:?}: {text}");
        }
    }

    #[test]
    fn a_dialog_of_a_tab_of_another_workspace_is_told_without_its_words_and_number() {
        let browser = Scripted::new(|_, params, _| {
            let native = params["other"].as_i64();
            let detail = json!({ "tabId": native, "type": "confirm", "message": "EVIL" });
            let mut fault = RequestFault::unsent(FaultCode::DialogOpen, "");
            fault.detail = Some(detail);
            Err(fault)
        });
        let tab = browser.tab(7);
        browser.tab(8);
        for (other, ours) in [(8, true), (9, false)] {
            let asked = tab.read::<Value>("page", json!({ "other": other }), PAGE_CALL);
            let fault = async_io::block_on(asked).unwrap_err();
            for sent in [false, true] {
                let failure = Failure::from(RequestFault { sent, ..fault.clone() });
                let own = &failure.own;
                assert!(own.contains("while a dialog is open in"), "{own}");
                assert!(own.contains("Retry: ") && own.contains("Next step: "), "{own}");
                assert_eq!(own.contains(&(tab.id() + other - 7).to_string()), ours, "{own}");
                assert_eq!(own.contains("dialog tool"), ours, "{own}");
                assert!(!sent || !own.contains("Nothing was done"), "{own}");
                assert_eq!(failure.page.is_some_and(|(_, text)| text.contains("EVIL")), ours);
            }
        }
    }

    #[test]
    fn words_of_the_browser_never_stand_among_our_own() {
        let failure = Failure::from(RequestFault::unsent(FaultCode::Cdp, "EVIL"));
        assert!(!failure.own.contains("EVIL"));
        assert_eq!(failure.page, Some(("unknown".into(), "EVIL".into())));
    }
}
