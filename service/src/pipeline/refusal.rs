//! The words of every refusal: cause, whether a retry is safe, next step.

use crate::arguments::Violation;
use crate::browser::route::Unchosen;
use crate::hold::Held;
use crate::lanes::Refused;
use crate::scheduler::{Crowded, Retired};
use crate::tool::{Failure, Tool};
use ghostlight_transport::bridge::Disposition;

pub(crate) const UNKNOWN_TOOL: &str = "There is no tool of this name. Nothing was done. Retry: does not help. \
     Next step: list the tools and use one of their names.";
pub(crate) const RESTRICTION: &str = "This request carries a restriction, and this version of Ghostlight cannot \
     enforce one, so nothing was done. Retry: does not help. Next step: send it without the restriction only if everything may be allowed.";
pub(crate) const INVALID_WORKSPACE: &str = "This tool needs a workspace, and the request names none that exists \
     here. Nothing was done. Retry: safe, with one. Next step: call tabs_context_mcp with createIfEmpty, or tabs_create_mcp, without \
     workspaceId; then pass the workspaceId it returns in every later call.";
pub(crate) const STREAM_FULL: &str = "This client already has as many workspaces as it may have. Nothing was done. Retry: does not help. \
     Next step: go on with one of their workspaceId values instead of creating another.";
pub(crate) const SERVICE_FULL: &str = "All workspaces of this machine's Ghostlight are in use. Nothing was done. Retry: safe, once some are not. \
     Next step: close clients that no longer need theirs.";
pub(crate) const NO_ENTROPY: &str =
    "The system has no random numbers to give. Nothing was done. Retry: safe, in a moment.";
pub(crate) const TOO_MANY_CALLS: &str = "Too many calls of this client are running. Nothing was done. Retry: safe, once some of them have ended.";
pub(crate) const ENDING: &str = "The Ghostlight service is ending. Nothing was done. Retry: safe, in a moment: a new service starts by itself.";

pub(crate) fn cancelled() -> Failure {
    Failure {
        disposition: Disposition::Cancelled,
        own: "The call was cancelled before anything of it was done. Retry: safe.".into(),
        page: None,
    }
}

pub(crate) fn arguments(tool: &Tool, violation: &Violation) -> Failure {
    let violation = violation.to_string();
    let hint = if violation.starts_with("`tabId`") {
        "call tabs_context_mcp for the tabs there are, and pass one of their ids"
    } else {
        "correct the arguments and call again"
    };
    Failure::not_dispatched(format!(
        "Invalid arguments for {}: {violation}. Nothing was done. Retry: safe, corrected. Next step: {hint}.",
        tool.name
    ))
}

pub(crate) fn unknown_tab() -> Failure {
    Failure::not_dispatched(
        "There is no such tab in this workspace. Nothing was done. Retry: not with this tabId. \
         Next step: call tabs_context_mcp for the tabs there are, and use one of their ids, as a number.",
    )
}

pub(crate) fn held(held: Held) -> Failure {
    let own = match held {
        Held::Paused => {
            "The person has paused Ghostlight and holds the browser. Nothing was done. Retry: safe, once they resume; not in a loop. \
             Next step: tell the person what you need, and wait until they resume."
        }
        Held::Stopped => {
            "The person has stopped Ghostlight. Nothing was done. Retry: does not help until they start it again. \
             Next step: ask the person to start it again in the extension's popup."
        }
        Held::Interrupted => {
            "The person took over the browser while this call waited. Nothing was done. Retry: not before looking. \
             Next step: look at the page again before you decide what to do."
        }
        Held::Replaced => {
            return Failure::not_dispatched(
                "The browser or its extension was started again while this call waited; its tabs are no longer yours. Nothing was done. Retry: not with this tabId. \
                 Next step: call tabs_context_mcp with createIfEmpty, and navigate again.",
            );
        }
    };
    Failure { disposition: Disposition::Held, own: own.into(), page: None }
}

pub(crate) fn queue(refused: Refused) -> Failure {
    let own = match refused {
        Refused::Crowded(Crowded::Key) => {
            "Too many calls wait for this tab. Nothing was done. Retry: safe, once the earlier ones have ended."
        }
        Refused::Crowded(Crowded::Workspace) => {
            "Too many calls of this workspace are waiting. Nothing was done. Retry: safe, once the earlier ones have ended."
        }
        Refused::Crowded(Crowded::Service) => {
            "Too many calls are waiting in all. Nothing was done. Retry: safe, in a moment."
        }
        Refused::Retired(Retired::Late) => {
            "The tab was busy with earlier calls for too long. Nothing was done. Retry: safe. \
             Next step: look first whether an earlier call still runs."
        }
        Refused::Retired(Retired::Held) => return held(Held::Paused),
        Refused::Retired(Retired::TabGone) => return unknown_tab(),
        Refused::Retired(Retired::BrowserGone) => {
            "The browser was closed or restarted while this call waited. Nothing was done. Retry: not with this tabId. \
             Next step: call tabs_context_mcp for the tabs there are now."
        }
        Refused::Retired(Retired::WorkspaceEnded) => {
            "The workspace has ended while this call waited. Nothing was done. Retry: safe, in another workspace. \
             Next step: create another one with tabs_create_mcp."
        }
        Refused::Retired(Retired::Ending) => ENDING,
    };
    Failure::not_dispatched(own)
}

pub(crate) fn no_browser_yet() -> Failure {
    Failure::not_dispatched(
        "No browser is connected to Ghostlight. Nothing was done. Retry: safe, once one is. \
         Next step: ask the person to open the browser that has the Ghostlight extension, or to install it; \
         `ghostlight doctor` says what is missing.",
    )
}

/// `others` are there meanwhile, and are not taken in its place.
pub(crate) fn browser_away(others: &[String]) -> Failure {
    let instead = match others {
        [] => String::new(),
        others => format!(
            " Connected instead: {}; only if the person wants that one, call tabs_create_mcp with browser.",
            others.join(", ")
        ),
    };
    Failure::not_dispatched(format!(
        "The browser has been connected before and is away now. Nothing was done. Retry: safe. \
         If it is open, it is back within half a minute. Next step: try once then; if it is still away, ask the \
         person to open it. `ghostlight doctor` says what is missing.{instead}"
    ))
}

/// A question back, where acting would be a guess.
pub(crate) fn unchosen(why: &Unchosen) -> Failure {
    const ASK: &str = "Retry: safe. Next step: ask the person which one to use (the extension's popup shows its browser's name), \
         then call again with browser set to that name.";
    let own = match why {
        Unchosen::Several(names) => {
            format!("Several browsers are connected: {}. Nothing was done. {ASK}", names.join(", "))
        }
        Unchosen::Unknown(names) => format!(
            "No connected browser has that name; there is: {}. Nothing was done. {ASK}",
            names.join(", ")
        ),
        Unchosen::Elsewhere(name) => format!(
            "This workspace has its tabs in {name}, and a workspace uses one browser. Nothing was done. Retry: does \
             not help. Next step: leave out browser, or close its tabs first."
        ),
    };
    Failure { disposition: Disposition::AttentionRequired, own, page: None }
}

pub(crate) fn audit_unwritten() -> Failure {
    Failure::not_dispatched(
        "The audit record of this action could not be written, so the action was not done. Retry: safe. \
         Next step: ask the person to look at the disk; `ghostlight doctor` names the file.",
    )
}

pub(crate) fn internal(may_have_sent: bool) -> Failure {
    if may_have_sent {
        return Failure::unknown(
            "Ghostlight itself failed during this call, after something may have been done. Retry: do not retry it. \
             Next step: look at the page to see what happened.",
        );
    }
    Failure::tool(
        "Ghostlight itself failed during this call. Nothing was done in the page. \
         Retry: safe, but may fail again. Next step: try another way; please report this as a bug.",
    )
}

/// The caller's time is over and the call is not.
pub(crate) fn overdue(may_have_sent: bool) -> Failure {
    if may_have_sent {
        return Failure::unknown(
            "The call did not end in time, and it may have taken effect or may still. Retry: do not retry it. \
             Next step: look at the page (read_page, or computer with action screenshot) to see what happened.",
        );
    }
    Failure::tool(
        "The call did not end in time and was ended. It changed nothing. Retry: safe. \
         Next step: look at the page first; it may be busy.",
    )
}

pub(crate) fn too_large(effect_done: bool) -> Failure {
    let done = if effect_done {
        "The action itself was carried out. Retry: do not repeat it."
    } else {
        "Nothing was changed. Retry: safe, for less."
    };
    Failure::tool(format!(
        "The result is larger than what may be sent to a client. {done} Next step: ask for less, \
         for instance with a smaller max_chars or depth."
    ))
}
