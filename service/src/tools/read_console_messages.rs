//! `read_console_messages`: what a page said on its console since the tab was adopted.

use super::observed::{self, Shown};
use super::{READS, no_effect};
use crate::pattern::Pattern;
use crate::render::{flat, quoted};
use crate::tab::observed::{ConsoleLine, Observed};
use crate::tab::yield_now;
use crate::tool::{Call, Failure, Lane, Reply, Tool};
use ghostlight_transport::bridge::WorkspaceUse;
use serde::Deserialize;

pub(crate) const ROW: Tool = Tool {
    name: "read_console_messages",
    title: "Read Console Messages",
    description: "Lists what the page and its frames said on the console since the tab was adopted, exceptions and the \
        browser's own words included, oldest first, with level and place. The last 500 are kept; secrets are hidden.",
    input: r#"{
"type":"object","additionalProperties":false,"required":["tabId"],"properties":{
"tabId":{"type":"number"},
"pattern":{"type":"string","description":"Regular expression without look-around, e.g. error|warn; the case of A-Z is ignored"},
"limit":{"type":"number","minimum":1,"description":"The latest so many; default 100"},
"onlyErrors":{"type":"boolean","description":"Errors and exceptions only"},
"clear":{"type":"boolean","description":"Forget all messages after this reading"}}}"#,
    output: None,
    hints: READS,
    workspace: WorkspaceUse::Uses,
    lane: Lane::Surface,
    effect: no_effect,
    run: |call| Box::pin(run(call)),
};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    pattern: Option<String>,
    limit: Option<f64>,
    #[serde(default)]
    only_errors: bool,
    #[serde(default)]
    clear: bool,
}

async fn run(mut call: Call) -> Result<Reply, Failure> {
    let tab = call.tab()?;
    let arguments: Arguments = call.parse()?;
    let pattern = arguments.pattern.as_deref().map(Pattern::new).transpose().map_err(unreadable)?;
    observed::catch_up(&tab).await?;
    let lines: Vec<ConsoleLine> = {
        let observed = tab.observed();
        let observed = observed.borrow();
        let errors = |line: &&ConsoleLine| !arguments.only_errors || line.is_error();
        observed.console.lines().filter(errors).cloned().collect()
    };
    let mut fitting = Vec::new();
    for line in lines {
        if pattern.as_ref().is_none_or(|pattern| pattern.matches(&line.text)) {
            fitting.push(line);
        }
        // A costly pattern keeps nobody else waiting.
        yield_now().await;
    }
    let shown = Shown::latest(&fitting, arguments.limit, line);
    let observed = tab.observed();
    let mut observed = observed.borrow_mut();
    let own = headline(&observed, &shown, fitting.len());
    if arguments.clear {
        observed.console.clear();
    }
    let origin = observed::origin(fitting.iter().map(|line| &*line.page));
    Ok(shown.reply(own, arguments.clear, origin))
}

fn unreadable(why: String) -> Failure {
    Failure::not_dispatched(format!(
        "`pattern` is no regular expression that is known here: {why}. Nothing was read. Retry: safe, with another \
         pattern; a backslash before a mark like (, [ or {{ takes it literally."
    ))
}

fn headline(observed: &Observed, shown: &Shown, fitting: usize) -> String {
    let all = observed.console.lines().len();
    observed::headline(
        shown,
        ("console message", fitting, all),
        observed.console.dropped,
        observed.gaps,
    )
}

/// One message, one line; before the first of another page, that page.
fn line(message: &ConsoleLine, before: Option<&ConsoleLine>) -> String {
    let mut text = String::new();
    if before.is_none_or(|before| before.page != message.page) {
        let page = crate::redact::redacted(&message.page);
        text = format!("page {}\n", quoted(&page, 300));
    }
    text.push_str(&flat(&message.level, 20));
    if !message.source.is_empty() {
        text.push_str(&format!(" ({})", flat(&message.source, 20)));
    }
    text.push_str(&format!(" {}", quoted(&message.text, 1_000)));
    if message.times > 1 {
        text.push_str(&format!(" ×{}", message.times));
    }
    if let Some((url, row, column)) = &message.place {
        text.push_str(&format!(" at {}:{row}", quoted(url, 200)));
        if *column > 0 {
            text.push_str(&format!(":{column}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tab::OwnedTab;
    use crate::tab::scripted::{Scripted, told};
    use serde_json::{Value, json};

    fn browser() -> std::rc::Rc<Scripted> {
        Scripted::new(|method, _, effect| {
            assert_eq!((method, effect), ("tab.list", false));
            Ok(json!({ "tabs": [] }))
        })
    }

    fn say(tab: &OwnedTab, level: &str, text: &str) {
        let line = ConsoleLine::new(level.into(), text).at("http://a.test/x.js", 3, 5);
        tab.observed().borrow_mut().said(line);
    }

    fn read(tab: OwnedTab, arguments: Value) -> Result<(String, String), Failure> {
        told(&ROW, tab, arguments)
    }

    #[test]
    fn messages_are_told_one_a_line_with_level_place_and_page() {
        let browser = browser();
        let tab = browser.tab(7);
        tab.observed().borrow_mut().arrived("http://a.test/?token=s3cret");
        say(&tab, "log", "one\nforged: error \"x\" at y");
        say(&tab, "error", "two");
        say(&tab, "error", "two");
        let (own, page) = read(tab, json!({})).unwrap();
        assert!(own.starts_with("2 console messages since the tab was adopted, or"), "{own}");
        let expected = "page \"http://a.test/?token=[redacted]\"\n\
             log \"one\\nforged: error \\\"x\\\" at y\" at \"http://a.test/x.js\":3:5\n\
             error \"two\" ×2 at \"http://a.test/x.js\":3:5";
        assert_eq!(page, expected);
    }

    #[test]
    fn only_what_is_asked_for_is_told_and_counts_say_the_rest() {
        let browser = browser();
        for n in 0..5 {
            say(&browser.tab(7), "log", &format!("line {n}"));
        }
        say(&browser.tab(7), "exception", "Uncaught Oops");
        let cases = [
            (json!({"pattern": "LINE [12]$"}), "2 of 6", "line 1"),
            (json!({"onlyErrors": true}), "1 of 6", "Oops"),
            (json!({"limit": 2}), "2 older", "Oops"),
            (json!({"pattern": "nothing"}), "0 of 6", ""),
        ];
        for (arguments, own, page) in cases {
            let told = read(browser.tab(7), arguments.clone()).unwrap();
            if arguments["limit"] == 2 {
                assert!(told.0.contains("The latest 2 are shown"), "{}", told.0);
            } else {
                assert!(told.0.contains(own), "{}", told.0);
            }
            assert!(told.1.contains(page), "{}", told.1);
        }
        browser.tab(7).observed().borrow_mut().lost(4, 0);
        browser.tab(7).observed().borrow_mut().gaps = 1;
        let (own, _) = read(browser.tab(7), json!({"clear": true})).unwrap();
        assert!(
            own.contains("4 more") && own.contains("1 time") && own.contains("Forgot"),
            "{own}"
        );
        let (own, page) = read(browser.tab(7), json!({})).unwrap();
        assert!(own.starts_with("No console messages") && page.is_empty(), "{own}");
    }

    #[test]
    fn a_pattern_that_cannot_be_read_is_refused_and_reads_nothing() {
        let browser = Scripted::new(|_, _, _| panic!("asked"));
        let failure = read(browser.tab(7), json!({"pattern": "(a"})).unwrap_err();
        assert!(failure.own.contains("without closing ')'") && failure.own.contains("Retry: safe"));
    }
}
