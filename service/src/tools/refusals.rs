//! What the page agent refuses, in words: cause, whether a retry is safe, the next step.

use super::refs::NoRef;
use super::through::Blocked;
use crate::page::answers::Brief;
use crate::render::{flat, quoted};
use crate::tab::{OwnedTab, RequestFault};
use crate::tool::Failure;
use ghostlight_transport::bridge::Disposition;
use ghostlight_transport::browser_wire::FaultCode;
use ghostlight_transport::json;
use serde_json::Value;

const READ_AGAIN: &str = "Retry: not with this reference. Next step: call read_page or find and use the reference it gives.";

/// A reference that names nothing.
pub(crate) fn no_ref(text: &str, why: NoRef) -> Failure {
    let shown = quoted(text, 40);
    Failure::not_dispatched(match why {
        NoRef::Malformed => format!(
            "{shown} is not a reference; references look like ref_12. Nothing was sent. {READ_AGAIN}"
        ),
        NoRef::Unknown => {
            format!("This tab never had the reference {shown}. Nothing was sent. {READ_AGAIN}")
        }
        NoRef::Forgotten => {
            format!("The reference {shown} is too old to be kept. Nothing was sent. {READ_AGAIN}")
        }
    })
}

/// A reference into a document that is gone.
pub(crate) fn stale(label: &str) -> Failure {
    Failure::not_dispatched(format!(
        "{label} is stale: its element is gone, or it belongs to a document that was replaced. No input was sent. {READ_AGAIN}"
    ))
}

/// The document went away under a reading.
fn replaced() -> Failure {
    Failure::tool(
        "The page was replaced by another document while it was asked. Nothing was changed. Retry: safe. \
         Next step: wait until the page has loaded, then call again.",
    )
}

/// The renderer computes, or a navigation waits for its server or the print preview for the person and holds it back.
fn busy() -> Failure {
    Failure::tool(
        "The page did not answer in time: its scripts compute without pause, another page is loading and its server \
         has not answered, or it opened the browser's print preview, which holds it until the person closes it. \
         Nothing was changed. Retry: safe, after waiting. Next step: call tabs_context_mcp, or take a screenshot; \
         navigate frees the tab.",
    )
}

/// The default words for a fault, or those for what the page agent refused about `label`.
pub(crate) fn refused(fault: RequestFault, label: &str, tab: &OwnedTab) -> Failure {
    if fault.code == FaultCode::Timeout && !fault.sent {
        return busy();
    }
    if fault.lost || (fault.code != FaultCode::Page && fault.code != FaultCode::StaleDocument) {
        return fault.into();
    }
    if fault.code == FaultCode::StaleDocument {
        return if label.starts_with("ref_") { stale(label) } else { replaced() };
    }
    let detail = fault.detail.clone().unwrap_or_default();
    let Some(own) = words(&fault.message, label, &detail) else {
        return if fault.message == "stale" { stale(label) } else { broken(&fault, tab) };
    };
    let failure = Failure { disposition: disposition(&fault.message), own, page: None };
    match facts(&detail) {
        Some(text) => failure.with_page(tab.facts().doc.origin, text),
        None => failure,
    }
}

/// Nothing from outside of its frame reaches the element.
pub(crate) fn blocked(blocked: Blocked, label: &str, tab: &OwnedTab) -> Failure {
    let (code, detail) = match blocked {
        Blocked::Fault(fault) => return refused(fault, label, tab),
        Blocked::OffScreen => ("off_screen", None),
        Blocked::Covered(by) => ("covered", by),
    };
    let failure = Failure::not_dispatched(reaching(code, label).unwrap_or_default());
    match detail {
        Some(by) => {
            failure.with_page(tab.facts().doc.origin, format!("covered by: {}", named(&by)))
        }
        None => failure,
    }
}

fn disposition(code: &str) -> Disposition {
    if code == "not_accepted" { Disposition::ToolFailure } else { Disposition::NotDispatched }
}

fn broken(fault: &RequestFault, tab: &OwnedTab) -> Failure {
    let text = format!(
        "{} {}",
        flat(&fault.message, 40),
        quoted(&fault.detail.clone().unwrap_or_default().to_string(), 400)
    );
    Failure::tool(
        "The page agent failed inside this page. Retry: look at the page first. \
         Next step: call computer with action screenshot, and act by coordinate.",
    )
    .with_page(tab.facts().doc.origin, text)
}

fn words(code: &str, label: &str, detail: &Value) -> Option<String> {
    reaching(code, label).or_else(|| filling(code, label, detail))
}

/// Why no pointer can reach the element.
fn reaching(code: &str, label: &str) -> Option<String> {
    let (cause, advice) = match code {
        "not_an_element" => (
            "marks where a reading was cut, it is no element",
            "Retry: not with this reference. Next step: pass it to read_page as ref_id to read on, then use a reference from there.",
        ),
        "reused" => ("was an element of a list that has given it to another row since", READ_AGAIN),
        "hidden" => (
            "is not visible",
            "Retry: safe, once it is shown. Next step: open what contains it, then read_page again.",
        ),
        "off_screen" => (
            "cannot be scrolled into the viewport",
            "Retry: safe. Next step: scroll its container, or act on an element that leads to it.",
        ),
        "moving" => (
            "does not stop moving",
            "Retry: safe. Next step: wait for the animation to end, then try again.",
        ),
        "disabled" => (
            "is disabled",
            "Retry: safe, once it is enabled. Next step: fill in what the page still asks for, then try again.",
        ),
        "inert" => (
            "is blocked by an open dialog or overlay of the page",
            "Retry: safe, once that is closed. Next step: act on the dialog first; read_page shows it.",
        ),
        "covered" => (
            "is covered by another element",
            "Retry: safe, once it is uncovered. Next step: close or answer what covers it, or scroll, then try again.",
        ),
        _ => return None,
    };
    Some(format!("{label} {cause}. No input was sent. {advice}"))
}

/// Why a control does not take the value.
fn filling(code: &str, label: &str, detail: &Value) -> Option<String> {
    let (cause, advice) = match code {
        "readonly" => (
            "is read-only",
            "Retry: does not help. Next step: look for the control that sets this value.",
        ),
        "no_such_option" => ("has no such option", "Retry: safe, with one of the options below."),
        "option_disabled" => {
            ("has that option, but it is disabled", "Retry: safe, with another option.")
        }
        "bad_value" => {
            ("does not take such a value", "Retry: safe, with a value as described below.")
        }
        "not_accepted" => (
            "did not keep that value; its former value stands",
            "Retry: safe, with a value within the limits below.",
        ),
        "radio_off" => (
            "is a radio button, and those are not switched off",
            "Retry: does not help. Next step: set another button of its group to true.",
        ),
        "file_input" => (
            "is a file input, which takes no value",
            "Retry: does not help. Next step: give it files with file_upload.",
        ),
        "not_a_field" => (
            "is no control that takes a value",
            "Retry: not with this reference. Next step: use the reference of the field itself; press a button with computer left_click; click a slider, then press arrow keys; click into an editor that draws its own text, then type.",
        ),
        "one_line" => (
            "takes one line, and this value has line breaks",
            "Retry: safe, with a value of one line.",
        ),
        "too_long" => {
            let most = detail.get("maxLength").and_then(Value::as_u64).unwrap_or_default();
            return Some(format!(
                "{label} takes at most {most} characters. Nothing was changed. Retry: safe, with a shorter value."
            ));
        }
        "no_focus" => {
            ("does not take the focus", "Retry: safe. Next step: click it first, then try again.")
        }
        _ => return None,
    };
    Some(format!("{label} {cause}. Nothing was changed. {advice}"))
}

/// What the page's words add, one fact a line.
fn facts(detail: &Value) -> Option<String> {
    let mut lines = Vec::new();
    let brief = |value: &Value| json::shaped::<Brief>(value.clone()).unwrap_or_default();
    if let Some(by) = detail.get("by") {
        lines.push(format!("covered by: {}", named(&brief(by))));
    } else if detail.get("role").is_some() {
        lines.push(format!("element: {}", named(&brief(detail))));
    }
    if let Some(options) = detail.get("options").and_then(Value::as_array) {
        let shown: Vec<_> =
            options.iter().filter_map(Value::as_str).map(|option| quoted(option, 100)).collect();
        let more = detail
            .get("more")
            .and_then(Value::as_u64)
            .map(|more| format!(" and {more} more"))
            .unwrap_or_default();
        lines.push(format!("options: {}{more}", shown.join(", ")));
    }
    for name in ["expected", "value", "min", "max", "step", "option"] {
        if let Some(text) = detail.get(name).and_then(Value::as_str) {
            lines.push(format!("{name}: {}", quoted(text, 200)));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

pub(crate) fn named(brief: &Brief) -> String {
    format!("{} {}", flat(&brief.role, 40), quoted(&brief.name, 80))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::scripted::Scripted;
    use serde_json::json;

    fn page(code: &str, detail: Value) -> RequestFault {
        let mut fault = RequestFault::unsent(FaultCode::Page, code);
        fault.detail = Some(detail);
        fault
    }

    #[test]
    fn every_refusal_names_cause_and_retry_and_quotes_the_page_apart() {
        let browser = Scripted::new(|_, _, _| Ok(json!({})));
        let tab = browser.tab(7);
        let codes = [
            "not_an_element",
            "reused",
            "hidden",
            "off_screen",
            "moving",
            "disabled",
            "inert",
            "covered",
            "readonly",
            "no_such_option",
            "option_disabled",
            "bad_value",
            "not_accepted",
            "radio_off",
            "file_input",
            "not_a_field",
            "too_long",
            "one_line",
            "no_focus",
            "stale",
            "something_new",
        ];
        for code in codes {
            let detail = json!({"role": "button", "name": "EVIL\n", "by": {"role": "dialog", "name": "EVIL"}, "options": ["EVIL"], "error": "EVIL"});
            let failure = refused(page(code, detail), "ref_1", &tab);
            assert!(failure.own.contains("Retry: "), "{code}: {}", failure.own);
            assert!(!failure.own.contains("EVIL"), "{code}");
            if let Some((_, text)) = failure.page {
                assert!(text.lines().count() <= 2, "{code}: {text}");
            }
        }
    }

    #[test]
    fn an_option_that_is_not_there_is_answered_with_those_that_are() {
        let browser = Scripted::new(|_, _, _| Ok(json!({})));
        let failure = refused(
            page("no_such_option", json!({"wanted": "XL", "options": ["S", "M"], "more": 2})),
            "ref_1",
            &browser.tab(7),
        );
        assert_eq!(failure.page.unwrap().1, "options: \"S\", \"M\" and 2 more");
        assert_eq!(failure.disposition, Disposition::NotDispatched);
    }
}
