//! Tests of the json module.

use super::*;

fn raw(text: &str) -> &RawValue {
    serde_json::from_str(text).unwrap()
}

#[test]
fn a_survey_counts_levels_outside_of_strings() {
    for (text, levels) in
        [("1", 0), ("{}", 1), ("[[],{\"a\":[]}]", 3), (r#"{"[[":"{\"[["}"#, 1), ("\"[", 0)]
    {
        assert_eq!(survey(text).levels, levels, "{text}");
    }
    assert!(survey(r#"["\uD83d"]"#).surrogates);
    assert!(!survey(r#"["\\ud83d", "\u0041"]"#).surrogates);
}

#[test]
fn lone_surrogates_become_the_replacement_character_and_pairs_stay() {
    for (text, fixed) in [
        (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
        (r#""\ud83d""#, r#""\ufffd""#),
        (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
        (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
        (r#""\ud83dx\\ude00""#, r#""\ufffdx\\ude00""#),
        (r#""\ud83"#, r#""\ud83"#),
        ("\"\\é\\ud800", "\"\\é\\ufffd"),
    ] {
        assert_eq!(well_formed(text), fixed, "{text}");
    }
}

#[test]
fn members_are_found_by_their_decoded_names() {
    let found = members(r#"{"x":[1, 2],"\u0061":"v","c":null}"#, &["a", "b", "c"]).unwrap();
    assert_eq!(
        found.values.map(|value| value.map(RawValue::get)),
        [Some("\"v\""), None, Some("null")]
    );
    assert_eq!(found.repeated, None);
    assert_eq!(members(r#"{"a":1,"b":2,"a":3}"#, &["b", "a"]).unwrap().repeated, Some(1));
    for bad in ["[]", "{\"a\":}", "{} {}", "{\"a\":1,}", ""] {
        assert!(members(bad, &["a"]).is_none(), "{bad}");
    }
}

#[test]
fn integers_are_digits_alone() {
    for (text, integer) in [
        ("0", true),
        ("-7", true),
        ("123456789012345678901234567890", true),
        ("1.0", false),
        ("1e3", false),
        ("\"1\"", false),
        ("true", false),
    ] {
        assert_eq!(is_integer(raw(text)), integer, "{text}");
    }
}

#[test]
fn numbers_are_written_short_and_only_when_json_can_hold_them() {
    let cases = [(1.0, Some("1")), (2.5, Some("2.5")), (0.0, Some("0")), (f64::NAN, None)];
    for (value, text) in cases {
        assert_eq!(number(value).as_deref(), text);
    }
}

#[test]
fn compacting_keeps_every_token_and_string() {
    let mut out = Vec::new();
    push_compact(&mut out, "{\n  \"a b\" : [ 1,\r\n\t\"x \\\" y\" ]\n}");
    assert_eq!(String::from_utf8(out).unwrap(), r#"{"a b":[1,"x \" y"]}"#);
}

#[test]
fn characters_that_look_like_line_ends_are_escaped() {
    let mut out = "é\u{2028}".as_bytes().to_vec();
    let start = out.len();
    out.extend_from_slice("x\u{2028}\u{2029}é\u{85}â€".as_bytes());
    escape_breaks(&mut out, start);
    assert_eq!(String::from_utf8(out).unwrap(), "é\u{2028}x\\u2028\\u2029é\\u0085â€");
}
