//! The words of failures: each says whether a retry is safe, in one form, and the next step behind it.

use super::{check, product};

/// A literal with one of these gets the advice from a constant or an argument.
const ELSEWHERE: [&str; 4] = ["{READ_AGAIN}", "{retry}", "{done}", "{advice}"];
/// Where nothing but failures is put into words.
const FAILURES_ONLY: [&str; 4] = [
    "service/src/pipeline/refusal.rs",
    "service/src/tab/fault.rs",
    "service/src/tools/refusals.rs",
    "edge/src/session/",
];
/// What earlier texts said in place of `Retry: …`.
const OTHER_FORMS: [&str; 7] = [
    "retry is safe",
    "Retrying",
    "then retry",
    ". Do not retry",
    ". Do not repeat",
    "calling again is safe",
    "Calling again is safe",
];

/// What a client is told from these places: the command line speaks to people.
fn literals_of(places: &[&str]) -> Vec<(String, String)> {
    let of = |path: &str| places.iter().any(|place| path.starts_with(place));
    let sources = product().into_iter();
    let sources = sources.filter(|source| of(&source.path) && !source.path.contains("/cli/"));
    let literals = |source: super::Source| {
        let path = source.path.clone();
        source.literals().into_iter().map(move |(line, text)| (format!("{path}:{line}"), text))
    };
    sources.flat_map(literals).collect()
}

#[test]
fn a_failure_that_names_a_next_step_says_before_whether_a_retry_is_safe() {
    let literals = literals_of(&FAILURES_ONLY);
    let steps = literals.iter().filter(|(_, text)| text.contains("Next step: "));
    assert!(steps.clone().count() > 40, "the texts were not found");
    let told = |text: &str| {
        let before = text.split("Next step: ").next().unwrap_or_default();
        before.contains("Retry: ") || ELSEWHERE.iter().any(|name| before.contains(name))
    };
    let silent = steps.filter(|(_, text)| !told(text));
    check(
        "a text with a next step has `Retry: …` before it",
        silent.map(|(at, text)| format!("{at}: {text}")),
    );
}

#[test]
fn whether_a_retry_is_safe_is_said_in_one_form() {
    let literals = literals_of(&["service/src", "edge/src"]).into_iter();
    let other = literals.filter(|(_, text)| OTHER_FORMS.iter().any(|form| text.contains(form)));
    check("say it as `Retry: …`", other.map(|(at, text)| format!("{at}: {text}")));
}

#[test]
fn what_a_tool_fails_with_says_whether_a_retry_is_safe() {
    const MAKERS: [&str; 3] = ["Failure::tool(", "Failure::not_dispatched(", "Failure::unknown("];
    let mut silent = Vec::new();
    let mut seen = 0;
    for source in product().into_iter().filter(|source| source.path.starts_with("service/src")) {
        let literals = source.literals();
        for (line, text) in source.product() {
            let Some(maker) = MAKERS.iter().find(|maker| text.contains(**maker)) else { continue };
            let behind = text.split(maker).nth(1).unwrap_or_default().trim();
            // Words that stand elsewhere were judged there.
            let here = ["", "format!(", "\""].iter().any(|open| match *open {
                "\"" => behind.starts_with('"'),
                open => behind == open,
            });
            let next = literals.iter().find(|(at, _)| *at >= line && *at <= line + 2);
            let Some((_, words)) = next.filter(|_| here) else { continue };
            seen += 1;
            let told = words.contains("Retry: ")
                || ELSEWHERE.iter().any(|name| words.contains(name))
                || words.is_empty();
            if !told {
                silent.push(format!("{}:{line}: {words}", source.path));
            }
        }
    }
    assert!(seen > 25, "only {seen} failures were found");
    check("a failure has `Retry: …`", silent);
}
