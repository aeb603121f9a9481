//! How each outcome looks to the client.

use super::*;

fn check(disposition: &str, rest: &str, in_2025: &str, in_2026: &str) {
    let completed = format!(
        r#"s> {{"completed":{{"work":7,"outcome":{{"disposition":"{disposition}",{rest}}}}}}}"#
    );
    play(&format!(
        "$OPENED\n\
         > {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\ns< …\ns> started 2 7\n{completed}\n< {in_2025}"
    ));
    play(&format!(
        "> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",$META}}}}\n! admitted\ns< …\ns> catalog 2 1\n\
         s< …\ns> started 1 7\n{completed}\n< {in_2026}"
    ));
}

fn result(disposition: &str, rest: &str, members: &str) {
    let in_2025 = format!("{{$2,\"id\":1,\"result\":{{{members}}}}}");
    let in_2026 = format!("{{$2,\"id\":1,\"result\":{{$COMPLETE,{members},$SERVER}}}}");
    check(disposition, rest, &in_2025, &in_2026);
}

#[test]
fn TB_06_a_success_is_its_content_and_its_facts() {
    result(
        "success",
        r#""content":[{"text":"a\u2028b\n"},{"text":"c"}],"structured":{"n": 1.50, "s":"x y"}"#,
        r#""content":[{"type":"text","text":"a\u2028b\n"},{"type":"text","text":"c"}],"structuredContent":{"n":1.50,"s":"x y"}"#,
    );
}

#[test]
fn a_picture_has_no_structured_content() {
    result(
        "success",
        r#""content":[{"text":"t"},{"image":{"mime":"image/png","data":"iVBORw0KGgo="}}],"structured":{"n":1}"#,
        r#""content":[{"type":"text","text":"t"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}]"#,
    );
}

#[test]
fn TB_14_failures_are_results_in_words_without_structured_content() {
    for disposition in
        ["tool_failure", "not_dispatched", "denied", "held", "attention_required", "cancelled"]
    {
        result(
            disposition,
            r#""content":[{"text":"why"}],"structured":{"n":1}"#,
            r#""content":[{"type":"text","text":"why"}],"isError":true"#,
        );
    }
}

#[test]
fn an_unknown_outcome_is_an_error_that_says_do_not_retry() {
    let error = r#"{$2,"id":1,"error":{"code":-33003,"message":"The browser went away. Retry: do not retry it.","data":{"disposition":"outcome_unknown"}}}"#;
    check(
        "outcome_unknown",
        r#""content":[{"text":"The browser went away. Retry: do not retry it."}]"#,
        error,
        error,
    );
}

#[test]
fn rejections_are_results_except_where_no_result_can_be() {
    for (kind, answer) in [
        ("busy", r#""result":{…"text":"The reason."}],"isError":true…"#),
        ("restriction", r#""result":{…"text":"The reason."}],"isError":true…"#),
        ("invalid_request", r#""result":{…"text":"The reason."}],"isError":true…"#),
        (
            "unavailable",
            r#""error":{"code":-33001,"message":"The reason.","data":{"disposition":"not_dispatched"}}}"#,
        ),
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",$META}}}}\n! admitted\ns< …\ns> catalog 2 1\n\
             s< …\ns> rejected 1 {kind}\n< {{$2,\"id\":1,{answer}"
        ));
    }
}

#[test]
fn FB_08_an_answer_longer_than_a_client_reads_is_replaced_by_words() {
    let long = "x".repeat(10 << 20);
    result(
        "success",
        &format!(r#""content":[{{"text":"{long}"}}]"#),
        r#""content":[{"type":"text","text":"The call has ended, but its answer of …do not repeat…"}],"isError":true"#,
    );
}

#[test]
fn a_lost_connection_ends_what_may_have_begun_and_keeps_what_has_not() {
    play(
        r#"
        $OPENED
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        s< …
        s> started 2 7
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask"}}
        s< …
        ! congested
        > {$2,"id":3,"method":"tools/call","params":{"name":"ask"}}
        ! lost
        < {$2,"id":1,"error":{"code":-33003,…"data":{"disposition":"outcome_unknown"}}}
        < {$2,"id":2,"error":{"code":-33003,…
        ! admitted
        s< {"catalog":{"sequence":5,…
        s> completed 7 late
        s> catalog 5 1
        s< {"start":{"sequence":4,…
        s> started 4 7
        s> completed 7 third
        < {$2,"id":3,…third…
        "#,
    );
}

#[test]
fn a_service_that_stays_silent_ends_a_call_as_unknown_once() {
    play(
        r#"
        $OPENED
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        s< …
        s> started 2 7
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask"}}
        s< …
        +64s
        +1s
        < {$2,"id":1,"error":{"code":-33003,…
        < {$2,"id":2,"error":{"code":-33003,…
        s< {"cancel":{"work":7}}
        s> completed 7 late
        s> started 3 8
        s< {"cancel":{"work":8}}
        s> completed 8 late
        +300s
        "#,
    );
}

#[test]
fn a_call_that_only_reads_is_lost_without_harm_and_says_so() {
    let unharmed = r#""error":{"code":-33001,"message":"…The call only reads, so nothing was changed. Retry: safe.…","data":{"disposition":"tool_failure"}}}"#;
    for (ends, last) in [("! lost", ""), ("+65s", r#"s< {"cancel":{"work":7}}"#)] {
        play(&format!(
            "> $HELLO\n< …\n! admitted\ns< …\ns> catalog 1 2\n\
             > {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"more\"}}}}\ns< …\ns> started 2 7\n\
             > {{$2,\"id\":2,\"method\":\"tools/call\",\"params\":{{\"name\":\"more\"}}}}\ns< …\n\
             {ends}\n< {{$2,\"id\":1,{unharmed}\n< {{$2,\"id\":2,{unharmed}\n{last}"
        ));
    }
    play(&format!(
        "> $HELLO\n< …\n! admitted\ns< …\ns> catalog 1 2\n\
         > {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"more\"}}}}\ns< …\ns> started 2 7\n\
         ! end of input\n+1s\n< {{$2,\"id\":1,{unharmed}\ns< {{\"cancel\":{{\"work\":7}}}}\nexit"
    ));
}
