//! What is refused, where it says the fault is, and what passes.

use super::*;
use serde_json::json;

const SCHEMA: &str = r#"{
    "type": "object", "additionalProperties": false, "required": ["tabId", "steps"],
    "properties": {
        "tabId": {"type": "number", "description": "a tab"},
        "url": {"type": "string", "minLength": 2, "maxLength": 3},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "mode": {"type": "string", "enum": ["fast", "slow"]},
        "exact": {"const": 7},
        "value": {"anyOf": [{"type": "string"}, {"type": "boolean"}]},
        "headers": {"type": "object", "additionalProperties": {"type": "string"}},
        "steps": {
            "type": "array", "minItems": 1, "maxItems": 3,
            "items": {
                "type": "object", "additionalProperties": false, "required": ["tool"],
                "properties": {"tool": {"type": "string"}, "at": {"type": "array", "items": {"type": "number"}}}
            }
        }
    }
}"#;

fn check(arguments: &Value) -> Option<String> {
    let schema = Schema::compile(SCHEMA).unwrap();
    parse(&schema, &arguments.to_string()).err().map(|violation| violation.to_string())
}

/// Valid arguments with `name` set to `value`.
fn with(name: &str, value: Value) -> Value {
    let mut arguments = json!({"tabId": 1, "steps": [{"tool": "x"}]});
    arguments[name] = value;
    arguments
}

#[test]
fn a_violation_names_the_path_at_every_depth() {
    for (arguments, wanted) in [
        (with("extra", json!(1)), "`extra` is not a known parameter"),
        (json!({"tabId": 1}), "`steps` is required"),
        (json!({"steps": [{"tool": "x"}]}), "`tabId` is required"),
        (with("url", json!(1)), "`url` must be a string"),
        (with("url", json!("x")), "`url` must have at least 2 characters"),
        (with("url", json!("äöüß")), "`url` must have at most 3 characters"),
        (with("count", json!(1.5)), "`count` must be a whole number"),
        (with("count", json!(0)), "`count` must be at least 1"),
        (with("count", json!(6)), "`count` must be at most 5"),
        (with("mode", json!("x")), r#"`mode` must be one of "fast", "slow""#),
        (with("exact", json!(8)), "`exact` must be one of 7"),
        (with("value", json!([])), "`value` has none of the allowed shapes"),
        (with("headers", json!({"a": 1})), "`headers.a` must be a string"),
        (with("steps", json!([])), "`steps` must have at least 1 items"),
        (with("steps", json!([{"tool": 1}])), "`steps[0].tool` must be a string"),
        (with("steps", json!([{"tool": "x"}, {}])), "`steps[1].tool` is required"),
        (
            with("steps", json!([{"tool": "x", "at": [1, "2"]}])),
            "`steps[0].at[1]` must be a number",
        ),
        (with("steps", json!([{"tool": "x", "no": 1}])), "`steps[0].no` is not a known parameter"),
        (with("a\n\u{202e}`", json!(1)), "`a\\n\\u{202e}`` is not a known parameter"),
        (json!([]), "the arguments must be an object"),
        (json!("x"), "the arguments must be an object"),
    ] {
        let found = check(&arguments).unwrap_or_else(|| panic!("{arguments} passed"));
        assert_eq!(found, wanted);
    }
}

#[test]
fn valid_arguments_pass() {
    for (name, value) in [
        ("tabId", json!(1.0)),
        ("count", json!(5.0)),
        ("url", json!("ab")),
        ("value", json!(true)),
        ("exact", json!(7)),
        ("headers", json!({"a": "b"})),
        ("steps", json!([{"tool": "x", "at": [1, 2.5]}])),
    ] {
        assert_eq!(check(&with(name, value.clone())), None, "{name} {value}");
    }
}

#[test]
fn any_tab_id_passes_to_the_ownership_check() {
    for id in [json!("7"), json!(-1), json!(1.5), json!(1e300), json!(null), json!({})] {
        assert_eq!(check(&with("tabId", id.clone())), None, "{id}");
    }
}

#[test]
fn unreadable_arguments_are_refused_and_not_repeated() {
    let schema = Schema::compile(SCHEMA).unwrap();
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for raw in ["", "{", r#"{"tabId":1e999}"#, &deep] {
        let violation = parse(&schema, raw).unwrap_err().to_string();
        assert_eq!(violation, "the arguments are not JSON that can be read (depth or a number)");
    }
}

#[test]
fn whole_numbers_are_recognised_however_they_are_written() {
    for (value, number) in [
        (json!(7), Some(7)),
        (json!(7.0), Some(7)),
        (json!(-7.0), Some(-7)),
        (json!(9_007_199_254_740_992_i64), Some(1 << 53)),
        (json!(9_007_199_254_740_994_i64), None),
        (json!(u64::MAX), None),
        (json!(7.5), None),
        (json!(1e300), None),
        (json!("7"), None),
        (json!(true), None),
    ] {
        assert_eq!(integral(&value), number, "{value}");
    }
}

#[test]
fn a_schema_with_a_keyword_nobody_checks_is_refused() {
    for text in [
        r#"{"type": "object", "patternProperties": {}}"#,
        r#"{"type": ["object", "null"]}"#,
        r#"{"type": "array"}"#,
        r#"{"type": "object", "properties": {"a": {"minimum": "1"}}}"#,
        "[",
    ] {
        assert!(Schema::compile(text).is_err(), "{text}");
    }
}
