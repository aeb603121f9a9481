//! What was observed after an action, in words that claim no cause.

use super::escape::{flat, quoted};
use super::tree::states;
use crate::page::answers::{Changed, Outcome, ValueChange};
use std::fmt::Write as _;

const ADDRESS: usize = 300;
const TITLE: usize = 150;
const NAME: usize = 80;
const VALUE: usize = 200;
/// The only line where there is nothing to tell.
pub(crate) const NOTHING: &str = "nothing observable changed";

/// A dialog in one piece of text, the same wherever it is told.
pub(crate) fn dialog(kind: &str, message: &str) -> String {
    format!("{} {}", flat(kind, 20), quoted(message, VALUE))
}
/// The question stays over every page of the site.
pub(crate) const OTHER_PROGRAM: &str = "the browser may ask the person about another program; until they answer, the tab \
    takes no input (navigate to another site frees it)";

/// Everything seen around one action: by the page agent, and by the browser's events.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Happening {
    /// `None` when the document was gone before it could be asked.
    pub(crate) outcome: Option<Outcome>,
    /// A new document, by the browser's word: its address, and whether it is ready for reading.
    pub(crate) navigation: Option<(String, bool)>,
    pub(crate) dialog: Option<(String, String)>,
    /// Tabs that this one opened, by the numbers the model uses.
    pub(crate) opened: Vec<i64>,
    /// One came and is closed again, or not for agents.
    pub(crate) passed: bool,
    /// It asked for more than came.
    pub(crate) unopened: bool,
    pub(crate) download: bool,
    pub(crate) closed: bool,
    /// The page asked for files; the browser's own chooser was not shown.
    pub(crate) chooser: bool,
    /// A navigation has begun and its server has not answered.
    pub(crate) loading: bool,
    /// The page asked for this address, and no document came of it.
    pub(crate) refused: Option<String>,
    /// The frame of the action holds another document.
    pub(crate) replaced: bool,
    /// What the page asked of the network has not all arrived.
    pub(crate) awaiting: bool,
    /// All was answered; the body of an answer still comes, or the page does not read it.
    pub(crate) unread: bool,
    /// The page could not be asked.
    pub(crate) unseen: bool,
}

/// One fact a line. `reference` names the elements that a following call may use.
pub(crate) fn receipt(seen: &Happening, mut reference: impl FnMut(u64) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((kind, message)) = &seen.dialog {
        lines.push(format!("dialog opened: {}", dialog(kind, message)));
    }
    if let Some((url, ready)) = &seen.navigation {
        let state = if *ready { "" } else { " (still loading)" };
        lines.push(format!("navigated to {}{state}", quoted(url, ADDRESS)));
    }
    if let Some(url) = &seen.refused {
        let shown = quoted(url, ADDRESS);
        lines.push(format!("the page asked for {shown}, and no page came; it stayed"));
        if !loads_a_page(url) {
            lines.push(OTHER_PROGRAM.into());
        }
    }
    for tab in &seen.opened {
        lines.push(format!("a tab opened: tabId {tab}"));
    }
    if seen.download {
        lines.push("a download started".into());
    }
    lines.extend(
        events(seen).iter().filter(|(happened, _)| *happened).map(|(_, words)| (*words).into()),
    );
    if let Some(outcome) = &seen.outcome {
        page_facts(outcome, seen.navigation.is_some(), &mut lines);
        element_facts(outcome, &mut lines, &mut reference);
    }
    if lines.is_empty() {
        lines.push(match &seen.outcome {
            Some(outcome) if outcome.mutations > 0 => {
                format!("only unspecific changes of the page ({} mutations)", outcome.mutations)
            }
            _ => NOTHING.into(),
        });
    }
    unfinished(seen, &mut lines);
    lines
}

/// What the browser told, where there is one way to say it.
fn events(seen: &Happening) -> [(bool, &'static str); 7] {
    [
        (
            seen.passed,
            "a tab opened that is not yours: it closed again at once, as for a download, or is not for agents",
        ),
        (
            seen.unopened,
            "the page asked for another tab, which did not come: the browser blocked it, it closed again at once, \
             or is late (then tabs_context_mcp lists it)",
        ),
        (seen.closed, "the tab closed"),
        (seen.chooser, "the page asked for a file; no file was chosen and no chooser is open"),
        (seen.loading, "another page is loading; its server has not answered yet"),
        (seen.replaced, "the frame now holds another document"),
        (
            seen.unseen,
            "the page did not answer in time; what changed is not known (its scripts compute, or the print preview is open)",
        ),
    ]
}

fn unfinished(seen: &Happening, lines: &mut Vec<String>) {
    if seen.awaiting {
        lines.push("a request that the page made is still on its way".into());
    }
    if seen.unread {
        lines.push("a request was answered; the page has not read all of the answer".into());
    }
    if seen
        .outcome
        .as_ref()
        .is_some_and(|outcome| !outcome.settled && !outcome.unarmed && outcome.leaving.is_none())
    {
        lines.push("the page is still changing".into());
    }
}

/// Other addresses are left to other programs.
pub(crate) fn loads_a_page(url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    ["http", "https", "about", "blob", "data", "file"].contains(&scheme)
}

fn page_facts(outcome: &Outcome, navigated: bool, lines: &mut Vec<String>) {
    if outcome.unarmed && navigated {
        lines.push(format!("title: {}", quoted(&outcome.page.title, TITLE)));
        return;
    }
    if let Some(url) = &outcome.url {
        lines.push(format!("url changed: {}", quoted(url, ADDRESS)));
    }
    if let Some(title) = &outcome.title {
        lines.push(format!("title changed: {}", quoted(title, TITLE)));
    }
    for alert in &outcome.alerts {
        lines.push(format!("message: {}", quoted(alert, VALUE)));
    }
}

fn element_facts(
    outcome: &Outcome,
    lines: &mut Vec<String>,
    reference: &mut impl FnMut(u64) -> String,
) {
    if let Some(value) = &outcome.value {
        lines.push(value_change(value));
    }
    if let Some(effect) = &outcome.drop {
        lines.push(match effect.as_str() {
            "none" => "dragged natively; nothing there took the drop".into(),
            "elsewhere" => "dragged natively into a frame of another site, which does not tell whether it took the drop".into(),
            effect => format!("dragged natively; the drop was taken ({})", flat(effect, 20)),
        });
    }
    if let Some(by) = &outcome.shift {
        lines.push(format!("the dragged element moved by {}, {} px", by.x, by.y));
    }
    if let Some(changed) = &outcome.states {
        let mut text = "target now:".to_owned();
        states(changed, &mut text);
        lines.push(text);
    }
    if outcome.target_gone {
        lines.push("the target left the page".into());
    }
    match &outcome.focus {
        Some(focus) if !focus.role.is_empty() => {
            let at = focus.key.map(|key| format!(" [{}]", reference(key))).unwrap_or_default();
            lines.push(format!(
                "focus moved to {} {}{at}",
                flat(&focus.role, 40),
                quoted(&focus.name, NAME)
            ));
        }
        Some(_) => lines.push("focus was lost".into()),
        None => {}
    }
    for change in &outcome.changed {
        let at = change.key.map(|key| format!(" [{}]", reference(key))).unwrap_or_default();
        lines.push(element_change(change, &at));
    }
    if outcome.removed > 0 {
        lines.push(format!("removed: {} nodes", outcome.removed));
    }
}

fn value_change(value: &ValueChange) -> String {
    if value.secret {
        let state = if value.filled { "filled" } else { "empty" };
        return format!("value changed (secret, now {state})");
    }
    let before = value.before.as_deref().unwrap_or_default();
    let after = value.after.as_deref().unwrap_or_default();
    format!("value changed from {} to {}", quoted(before, VALUE), quoted(after, VALUE))
}

fn element_change(change: &Changed, reference: &str) -> String {
    let mut text = format!("{}: {}", flat(&change.what, 20), flat(&change.role, 40));
    if !change.name.is_empty() {
        let _ = write!(text, " {}", quoted(&change.name, NAME));
    }
    text.push_str(reference);
    states(&change.states, &mut text);
    if change.secret {
        text.push_str(if change.filled {
            " value=(secret, filled)"
        } else {
            " value=(secret, empty)"
        });
    } else if let Some(value) = &change.value {
        let _ = write!(text, " value={}", quoted(value, NAME));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn seen(outcome: serde_json::Value) -> Happening {
        Happening {
            outcome: Some(serde_json::from_value(outcome).unwrap()),
            ..Happening::default()
        }
    }

    fn check(seen: &Happening, expected: &[&str]) {
        assert_eq!(receipt(seen, |key| format!("ref_{key}")), expected);
    }

    #[test]
    fn an_action_without_effect_says_so() {
        check(&seen(json!({"settled": true})), &["nothing observable changed"]);
        check(
            &seen(json!({"settled": true, "mutations": 4})),
            &["only unspecific changes of the page (4 mutations)"],
        );
        check(&Happening::default(), &["nothing observable changed"]);
    }

    #[test]
    fn each_fact_is_one_line() {
        let mut all = seen(json!({
            "settled": false, "url": "https://a.example/2", "title": "T\n2", "value": {"before": "a", "after": "b\"c"},
            "states": {"checked": true, "expanded": false}, "focus": {"role": "textbox", "name": "Next", "key": 4},
            "changed": [{"what": "added", "role": "dialog", "name": "Done", "key": 5}, {"what": "changed", "role": "textbox", "name": "P", "secret": true}],
            "alerts": ["Saved"], "removed": 2, "mutations": 9,
        }));
        all.dialog = Some(("confirm".into(), "Sure?\n".into()));
        all.opened = vec![4_294_967_301];
        check(
            &all,
            &[
                "dialog opened: confirm \"Sure?\\n\"",
                "a tab opened: tabId 4294967301",
                "url changed: \"https://a.example/2\"",
                "title changed: \"T\\n2\"",
                "message: \"Saved\"",
                "value changed from \"a\" to \"b\\\"c\"",
                "target now: checked expanded=false",
                "focus moved to textbox \"Next\" [ref_4]",
                "added: dialog \"Done\" [ref_5]",
                "changed: textbox \"P\" value=(secret, empty)",
                "removed: 2 nodes",
                "the page is still changing",
            ],
        );
    }

    #[test]
    fn a_navigation_is_told_with_its_state() {
        let mut gone = Happening {
            navigation: Some(("https://b.example/".into(), false)),
            ..Happening::default()
        };
        check(&gone, &["navigated to \"https://b.example/\" (still loading)"]);
        gone.navigation = Some(("https://b.example/".into(), true));
        gone.outcome =
            serde_json::from_value(json!({"unarmed": true, "page": {"title": "B"}})).ok();
        check(&gone, &["navigated to \"https://b.example/\"", "title: \"B\""]);
    }

    #[test]
    fn a_secret_shows_only_whether_it_is_there() {
        check(
            &seen(
                json!({"settled": true, "value": {"secret": true, "filled": true, "after": "hunter2"}}),
            ),
            &["value changed (secret, now filled)"],
        );
    }
}
