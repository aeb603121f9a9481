//! Lines that are no sound request: what each is answered, in every era alike.

use super::*;

const ERAS: [&str; 3] = [
    "",
    "> $HELLO\n< …\n",
    "> {$2,\"id\":\"chooses\",\"method\":\"tools/list\",\"params\":{$META}}\n",
];

fn check(line: &str, answer: Option<&str>) {
    for era in ERAS {
        let answer = answer.map(|answer| format!("< {answer}")).unwrap_or_default();
        play(&format!("{era}> {line}\n{answer}"));
    }
}

fn refused(line: &str, id: Option<&str>, code: i32) {
    let id = id.map(|id| format!("\"id\":{id},")).unwrap_or_default();
    check(line, Some(&format!("{{$2,{id}\"error\":{{\"code\":{code},\"message\":\"…\"}}}}")));
}

#[test]
fn JB_06_what_is_not_json_is_a_parse_error_without_an_id() {
    for line in [
        "{",
        "{$2,\"id\":1,\"method\":",
        "nonsense",
        "{} {}",
        "{\"id\":01}",
        "x\u{85}",
        "{\"a\":\"\u{1}\"}",
        "[1",
        "\"\\x\"",
    ] {
        refused(line, None, -32700);
    }
    play("! too long\n< {$2,\"error\":{\"code\":-32700,\"message\":\"…\"}}");
}

#[test]
fn FB_01_what_is_not_utf_8_is_a_parse_error() {
    let mut out = Effects::default();
    let line = Line::Text(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}");
    Session::default().on(Event::Line(line), Instant::now(), &mut out);
    let answer = String::from_utf8(out.lines).unwrap();
    assert!(answer.starts_with(r#"{"jsonrpc":"2.0","error":{"code":-32700"#), "{answer}");
}

#[test]
fn nesting_has_a_limit_and_what_is_below_it_is_read() {
    let nested = |levels: usize| {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!("{{$2,\"id\":1,\"method\":\"none\",\"params\":{{\"x\":{open}{close}}}}}")
    };
    refused(&nested(126), Some("1"), -32601);
    refused(&nested(127), None, -32700);
    refused(&nested(500_000), None, -32700);
    refused(&"[".repeat(500_000), None, -32700);
}

#[test]
fn FB_05_what_is_not_an_object_is_an_invalid_request_without_an_id() {
    for line in [
        "[]",
        "[{$2,\"id\":1,\"method\":\"ping\"}]",
        " [1]",
        "\"x\"",
        "7",
        "true",
        "null",
        "{}",
        "{\"a\":1}",
    ] {
        refused(line, None, -32600);
    }
}

#[test]
fn JB_02_an_id_is_a_string_or_an_integer() {
    for id in ["null", "true", "1.0", "1e2", "-1.5", "{}", "[1]", "\"\\ud83\""] {
        let code = if id.contains("ud83") { -32700 } else { -32600 };
        refused(&format!("{{$2,\"id\":{id},\"method\":\"none\"}}"), None, code);
    }
    let long = "9".repeat(5000);
    refused(&format!("{{$2,\"id\":{long},\"method\":\"none\"}}"), None, -32600);
}

#[test]
fn JB_01_the_version_of_json_rpc_is_checked() {
    for version in ["", "\"jsonrpc\":\"1.0\",", "\"jsonrpc\":2.0,", "\"jsonrpc\":null,"] {
        refused(&format!("{{{version}\"id\":7,\"method\":\"ping\"}}"), Some("7"), -32600);
    }
}

#[test]
fn a_method_is_a_string() {
    for line in [
        "{$2,\"id\":\"a\"}",
        "{$2,\"id\":\"a\",\"method\":5}",
        "{$2,\"id\":\"a\",\"method\":null,\"result\":{}}",
    ] {
        refused(line, Some("\"a\""), -32600);
    }
    refused("{$2,\"method\":5}", None, -32600);
}

#[test]
fn a_member_that_occurs_twice_is_refused() {
    refused("{$2,\"id\":1,\"id\":2,\"method\":\"ping\"}", None, -32600);
    refused("{$2,\"id\":1,\"method\":\"ping\",\"method\":\"none\"}", Some("1"), -32600);
    refused("{$2,$2,\"id\":1,\"method\":\"ping\"}", Some("1"), -32600);
    refused(
        "{$2,\"id\":1,\"method\":\"none\",\"params\":{\"name\":\"a\",\"name\":\"b\"}}",
        Some("1"),
        -32602,
    );
    refused("{$2,\"id\":1,\"method\":\"none\",\"params\":{$META,$META}}", Some("1"), -32602);
    check(
        "{$2,\"id\":1,\"method\":\"none\",\"x\":1,\"x\":2}",
        Some("{$2,\"id\":1,\"error\":{\"code\":-32601,…"),
    );
}

#[test]
fn JB_08_params_and_meta_are_objects() {
    for params in
        ["[]", "null", "7", "\"x\"", "{\"_meta\":null}", "{\"_meta\":[]}", "{\"_meta\":1}"]
    {
        refused(
            &format!("{{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{params}}}"),
            Some("1"),
            -32602,
        );
    }
}

#[test]
fn JB_07_notifications_and_answers_are_never_answered() {
    for line in [
        "{$2,\"method\":\"notifications/unheard\"}",
        "{$2,\"method\":\"notifications/cancelled\"}",
        "{$2,\"method\":\"notifications/cancelled\",\"params\":[]}",
        "{$2,\"method\":\"notifications/cancelled\",\"params\":{}}",
        "{$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":null}}",
        "{$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"nobody\"}}",
        "{$2,\"method\":\"notifications/initialized\",\"params\":7}",
        "{$2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",$META}}",
        "{$2,\"method\":\"initialize\",\"params\":{}}",
        "{\"method\":\"ping\"}",
        "{$2,\"method\":\"ping\",\"method\":\"ping\"}",
        "{$2,\"id\":1,\"result\":{}}",
        "{$2,\"id\":null,\"error\":{}}",
        "{\"result\":1}",
    ] {
        check(line, None);
    }
}

#[test]
fn a_notification_name_with_an_id_is_a_method_that_does_not_exist() {
    for method in ["notifications/initialized", "notifications/cancelled"] {
        check(
            &format!("{{$2,\"id\":1,\"method\":\"{method}\"}}"),
            Some("{$2,\"id\":1,\"error\":{\"code\":-32601,…"),
        );
    }
}

#[test]
fn JB_03_ids_are_repeated_as_they_came() {
    for id in [
        "0",
        "-0",
        "1",
        "\"1\"",
        "123456789012345678901234567890",
        "-7",
        "\"\"",
        "\"é\\n\\u0041\\/\"",
        "\"listen:0\"",
    ] {
        check(
            &format!("{{$2,\"id\": {id} ,\"method\":\"none\"}}"),
            Some(&format!("{{$2,\"id\":{id},\"error\":…")),
        );
    }
    check(
        "{$2,\"id\":\"a\u{2028}b\",\"method\":\"none\"}",
        Some("{$2,\"id\":\"a\\u2028b\",\"error\":…"),
    );
}

#[test]
fn JB_09_an_id_in_flight_is_refused_however_it_is_spelled() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":"A","method":"tools/list"}
        > {$2,"id":"\u0041","method":"ping"}
        < {$2,"id":"\u0041","error":{"code":-32600,…
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        > {$2,"id":1,"method":"initialize"}
        < {$2,"id":1,"error":{"code":-32600,…
        > {$2,"id":"1","method":"ping"}
        < {$2,"id":"1","result":{}}
        "#,
    );
    play(
        r#"
        > {$2,"id":5,"method":"subscriptions/listen","params":{$META,"notifications":{}}}
        < …
        > {$2,"id":5,"method":"tools/list","params":{$META}}
        < {$2,"id":5,"error":{"code":-32600,…
        "#,
    );
}

#[test]
fn lone_surrogates_are_served_as_the_replacement_character() {
    play(
        r#"
        > {$2,"id":"\ud800","method":"\udc00","\udfff":1}
        < {$2,"id":"\ufffd","error":{"code":-32601,"message":"Method � does not exist here"}}
        $OPENED
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask","arguments":{"t":"\ud83d\ude00\ud83d"}}}
        s< …"arguments":{"t":"\ud83d\ude00\ufffd"}…
        "#,
    );
}
