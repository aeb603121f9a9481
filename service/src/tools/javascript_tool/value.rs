//! What a script gave or threw, in words: from the browser's answers. Pure.

use crate::render::cut;
use ghostlight_transport::limits::READ_CHARS;
use serde_json::Value;

/// Of an exception's text with its stack.
const EXCEPTION_CHARS: usize = 2_000;

#[derive(Debug, PartialEq)]
pub(super) struct Told {
    pub(super) own: String,
    /// Anything here a page could choose.
    pub(super) text: Option<String>,
    pub(super) threw: bool,
}

/// The engine could not read the script as it stands: it has a `return` outside of any function.
pub(super) fn has_return(answer: &Value) -> bool {
    let thrown = &answer["exceptionDetails"];
    is_unread(thrown)
        && thrown["exception"]["description"] == "SyntaxError: Illegal return statement"
}

/// What a running script throws has a stack, or comes with the words of a rejected promise.
fn is_unread(thrown: &Value) -> bool {
    thrown["text"] == "Uncaught"
        && thrown["stackTrace"].is_null()
        && thrown["exception"]["className"] == "SyntaxError"
}

pub(super) fn is_promise(answer: &Value) -> bool {
    answer["exceptionDetails"].is_null() && answer["result"]["subtype"] == "promise"
}

/// All there is to tell, unless the value has to be described in the page.
pub(super) fn told(answer: &Value) -> Option<Told> {
    let thrown = &answer["exceptionDetails"];
    if !thrown.is_null() {
        return Some(exception(thrown));
    }
    let result = &answer["result"];
    let words = |key: &str| result[key].as_str().map(str::to_owned);
    let (own, text) = match result["type"].as_str().unwrap_or_default() {
        "undefined" => ("The script gave no value (undefined).".to_owned(), None),
        "string" => return Some(string(result["value"].as_str().unwrap_or_default())),
        "object" if result["subtype"] == "null" => ("The script gave null.".to_owned(), None),
        kind @ ("number" | "boolean" | "bigint" | "symbol") => {
            let text = words("unserializableValue").or_else(|| {
                let value = result.get("value").map(ToString::to_string);
                value.or_else(|| words("description"))
            });
            (format!("The script gave a {kind}."), text)
        }
        _ => return None,
    };
    Some(Told { own, text, threw: false })
}

fn string(text: &str) -> Told {
    let shown = cut(text, READ_CHARS);
    let mut own = format!("The script gave a string of {} characters.", text.chars().count());
    if shown.len() < text.len() {
        own.push_str(&format!(" Cut after {READ_CHARS}: have the script give the part you need."));
    }
    Told { own, text: Some(shown.to_owned()), threw: false }
}

/// `described` is what the page said of `result`; none when it could not.
pub(super) fn described(result: &Value, described: Option<&Value>) -> Told {
    let value = described.map(|answer| &answer["result"]["value"]);
    let Some((value, text)) = value.and_then(|value| Some((value, value["text"].as_str()?))) else {
        let own = "The script ran to its end, but its value cannot be told: reading it failed or took too long. \
            Next step: have the script give a string.";
        let text = result["description"].as_str().map(|text| cut(text, 200).to_owned());
        return Told { own: own.into(), text, threw: false };
    };
    let mut own = format!("The script gave {}.", kind(result));
    if value["cut"] == true {
        own.push_str(&format!(
            " Cut after {READ_CHARS} characters: have the script give the part you need."
        ));
    }
    Told { own, text: Some(cut(text, READ_CHARS).to_owned()), threw: false }
}

/// Only words of the browser's own vocabulary.
fn kind(result: &Value) -> &'static str {
    match (result["type"].as_str(), result["subtype"].as_str()) {
        (Some("function"), _) => "a function",
        (_, Some("array" | "typedarray")) => "an array",
        (_, Some("node")) => "a node of the page",
        (_, Some("map" | "set" | "weakmap" | "weakset")) => "a collection",
        (_, Some("date")) => "a date",
        (_, Some("error")) => "an error",
        (_, Some("regexp")) => "a pattern",
        _ => "an object",
    }
}

fn exception(thrown: &Value) -> Told {
    let line = line(thrown).map(|line| format!(" (line {line})")).unwrap_or_default();
    let own = if is_unread(thrown) {
        format!(
            "The script is no valid JavaScript{line}; nothing of it ran. Retry: safe, with a corrected script."
        )
    } else {
        format!(
            "The script threw an exception{line}; what it did before stands. Retry: do not repeat it before looking. \
             Next step: correct the script."
        )
    };
    let exception = &thrown["exception"];
    let words = exception["description"].as_str().map(str::to_owned);
    let value = || exception.get("value").map(ToString::to_string);
    let text = words.or_else(value).unwrap_or_else(|| "no description".into());
    Told { own, text: Some(cut(&text, EXCEPTION_CHARS).to_owned()), threw: true }
}

/// Counted from 1, where it is one of the script's own.
fn line(thrown: &Value) -> Option<u64> {
    if is_unread(thrown) {
        return Some(thrown["lineNumber"].as_u64()? + 1);
    }
    let frames = thrown["stackTrace"]["callFrames"].as_array()?;
    let own = frames.iter().find(|frame| frame["url"] == "")?;
    Some(own["lineNumber"].as_u64()? + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn plain_values_need_nobody_to_describe_them() {
        let cases = [
            (json!({"type": "undefined"}), "no value", None),
            (json!({"type": "object", "subtype": "null", "value": null}), "null", None),
            (
                json!({"type": "number", "value": 4.5, "description": "4.5"}),
                "a number",
                Some("4.5"),
            ),
            (json!({"type": "number", "unserializableValue": "-0"}), "a number", Some("-0")),
            (json!({"type": "boolean", "value": false}), "a boolean", Some("false")),
            (json!({"type": "bigint", "unserializableValue": "5n"}), "a bigint", Some("5n")),
            (
                json!({"type": "symbol", "description": "Symbol(x)", "objectId": "1"}),
                "a symbol",
                Some("Symbol(x)"),
            ),
            (json!({"type": "string", "value": "a\nb"}), "a string of 3 characters.", Some("a\nb")),
        ];
        for (result, own, text) in cases {
            let told = told(&json!({ "result": result })).unwrap();
            assert!(told.own.contains(own), "{}", told.own);
            assert_eq!((told.text.as_deref(), told.threw), (text, false));
        }
        assert_eq!(told(&json!({"result": {"type": "object", "objectId": "1"}})), None);
    }

    #[test]
    fn a_long_string_is_cut_on_a_character_border_and_says_so() {
        let told = string(&"é".repeat(READ_CHARS + 1));
        assert_eq!(told.text.unwrap().chars().count(), READ_CHARS);
        assert!(told.own.contains("of 50001 characters. Cut after 50000"), "{}", told.own);
    }

    #[test]
    fn only_a_script_that_could_not_be_read_is_sent_again() {
        let unread = json!({"exceptionDetails": {"text": "Uncaught", "lineNumber": 2,
            "exception": {"className": "SyntaxError", "description": "SyntaxError: Illegal return statement"}}});
        assert!(has_return(&unread));
        assert!(told(&unread).unwrap().own.contains("(line 3); nothing of it ran"));
        for (member, value) in [
            ("text", json!("Uncaught (in promise)")),
            ("stackTrace", json!({"callFrames": []})),
            (
                "exception",
                json!({"className": "SyntaxError", "description": "SyntaxError: Unexpected token"}),
            ),
        ] {
            let mut ran = unread.clone();
            ran["exceptionDetails"][member] = value;
            assert!(!has_return(&ran), "{member}");
        }
    }

    #[test]
    fn an_exception_tells_its_line_in_the_script_and_its_words_apart() {
        let frames = json!([{"url": "https://a.example/x.js", "lineNumber": 90}, {"url": "", "lineNumber": 4}]);
        let thrown = json!({"exceptionDetails": {"text": "Uncaught", "stackTrace": {"callFrames": frames},
            "exception": {"className": "Error", "description": "Error: EVIL"}}});
        let told = told(&thrown).unwrap();
        assert!(told.threw && told.own.contains("(line 5)") && !told.own.contains("EVIL"));
        assert_eq!(told.text.as_deref(), Some("Error: EVIL"));
    }

    #[test]
    fn a_value_that_cannot_be_read_is_told_as_such() {
        let result = json!({"type": "object", "description": "Proxy"});
        for answer in
            [None, Some(json!({"exceptionDetails": {}})), Some(json!({"result": {"value": 5}}))]
        {
            let told = described(&result, answer.as_ref());
            assert!(!told.threw && told.own.contains("cannot be told"), "{}", told.own);
        }
        let answer = json!({"result": {"value": {"text": "{}", "cut": true}}});
        assert!(described(&result, Some(&answer)).own.contains("an object. Cut after"));
    }
}
