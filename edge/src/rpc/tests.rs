//! Tests of the rpc module.

use super::*;

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn an_answer_is_one_line_whatever_it_holds() {
    let line =
        written(|out| answer(out, "\"a\u{2029}\"", |out| json::push_text(out, "x\n\u{85}y")));
    assert_eq!(line, "{\"jsonrpc\":\"2.0\",\"id\":\"a\\u2029\",\"result\":\"x\\n\\u0085y\"}\n");
}

#[test]
fn an_error_without_a_known_id_has_no_member_for_it() {
    let fault = Fault::new(PARSE, "no \"json\"").with_data("[1]");
    assert_eq!(
        written(|out| refuse(out, None, &fault)),
        "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"no \\\"json\\\"\",\"data\":[1]}}\n"
    );
}

#[test]
fn a_notification_without_members_has_no_params() {
    assert_eq!(written(|out| notify(out, "n", |_| {})), "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n");
    let tagged = written(|out| notify(out, "n", |out| out.extend_from_slice(b"\"a\":1")));
    assert_eq!(tagged, "{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{\"a\":1}}\n");
}

#[test]
fn ids_are_the_same_by_value_and_type() {
    let key = |id: &str| same_id(serde_json::from_str(id).unwrap());
    assert_eq!(key(r#""\u0041""#), key("\"A\""));
    assert_ne!(key("1"), key("\"1\""));
    assert_ne!(key(r#""\"1""#), key("\"1\""));
}
