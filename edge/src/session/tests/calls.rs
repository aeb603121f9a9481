//! `tools/call`: what is sent, what waits, and in what bounds.

use super::*;

const READY: &str = "$OPENED\n";

#[test]
fn TB_11_an_unknown_tool_is_a_protocol_error_that_names_it() {
    play(&format!(
        "{READY}> {{$2,\"id\":20,\"method\":\"tools/call\",\"params\":{{\"name\":\"page_teleport\",\"arguments\":{{}}}}}}\n\
         < {{$2,\"id\":20,\"error\":{{\"code\":-32602,\"message\":\"Unknown tool: page_teleport\"}}}}\n\
         > {{$2,\"id\":21,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\n\
         s< …\n\
         s> rejected 3 unknown_operation\n\
         < {{$2,\"id\":21,\"error\":{{\"code\":-32602,\"message\":\"Unknown tool: ask\"}}}}"
    ));
}

#[test]
fn X_09_a_call_of_the_wrong_shape_is_a_protocol_error() {
    for params in [
        "",
        r#","params":{}"#,
        r#","params":{"name":7}"#,
        r#","params":{"name":null}"#,
        r#","params":{"name":"ask","arguments":[]}"#,
        r#","params":{"name":"ask","arguments":null}"#,
        r#","params":{"name":"ask","_meta":{"progressToken":true}}"#,
    ] {
        play(&format!(
            "{READY}> {{$2,\"id\":1,\"method\":\"tools/call\"{params}}}\n< {{$2,\"id\":1,\"error\":{{\"code\":-32602,…"
        ));
    }
}

#[test]
fn arguments_travel_as_they_were_written() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask","arguments":{{"b": 1.0,"a":12345678901234567890123,"é":"\u00e9"}}}}}}
        s< {{"start":{{"sequence":2,"operation":"ask","arguments":{{"b": 1.0,"a":12345678901234567890123,"é":"\u00e9"}},"workspace":null,"context":{{"client":{{"name":"pine","version":"1"}}}},"progress":false}}}}
        # TB-15: none at all are an empty object
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"ask"}}}}
        s< …"arguments":{{}},…
        "#
    ));
}

#[test]
fn Z26_01_each_request_speaks_for_itself_alone() {
    play(
        r#"
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask","_meta":{$ENVELOPE,"io.modelcontextprotocol/clientInfo":{"name":"one","version":"1"},"org.ghostlight/restriction":{"a":1}}}}
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask","_meta":{$ENVELOPE,"io.modelcontextprotocol/clientInfo":{"name":"two"}}}}
        > {$2,"id":3,"method":"tools/call","params":{"name":"ask",$META}}
        ! admitted
        s< {"catalog":{"sequence":4,"context":{}}}
        s> catalog 4 1
        s< {"start":{"sequence":1,…"context":{"client":{"name":"one","version":"1"},"restriction":{"a":1}},"progress":false}}
        s< {"start":{"sequence":2,…"context":{"client":{"name":"two","version":""}},"progress":false}}
        s< {"start":{"sequence":3,…"context":{},"progress":false}}
        "#,
    );
}

#[test]
fn calls_wait_for_a_service_and_end_as_unavailable_when_none_comes() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        +4s
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask"}}
        +6s
        < {$2,"id":1,"error":{"code":-33001,"message":"…Nothing ran. Retry: safe.…","data":{"disposition":"not_dispatched"}}}
        ! admitted
        s< …
        s> catalog 3 1
        s< {"start":{"sequence":2,…
        "#,
    );
}

#[test]
fn at_most_128_calls_are_started_and_the_rest_follow_in_order() {
    let mut script = READY.to_owned();
    for id in 0..130 {
        script += &format!(
            "> {{$2,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\n"
        );
        if id < 128 {
            script += &format!("s< {{\"start\":{{\"sequence\":{},…\n", id + 2);
        }
    }
    script +=
        "s> started 2 1\ns> completed 1 x\n< {$2,\"id\":0,…\ns< {\"start\":{\"sequence\":130,…\n";
    // A cancelled call is active until it settles.
    script += "> {$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
    script += "s> rejected 3 busy\ns< {\"start\":{\"sequence\":131,…\n";
    play(&script);
}

#[test]
fn a_call_behind_128_others_waits_longer_and_is_then_safe_to_repeat() {
    let mut script = READY.to_owned();
    for id in 0..129 {
        script += &format!(
            "> {{$2,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\n"
        );
        if id < 128 {
            script += &format!(
                "s< {{\"start\":{{\"sequence\":{},…\ns> started {} {id}\n",
                id + 2,
                id + 2
            );
        }
    }
    script += "+64s\n+1s\n";
    for id in 0..128 {
        script += &format!("< {{$2,\"id\":{id},\"error\":{{\"code\":-33003,…\n");
    }
    for id in 0..128 {
        script += &format!("s< {{\"cancel\":{{\"work\":{id}}}}}\n");
    }
    script += "+10s\n< {$2,\"id\":128,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"…Retry: safe, once …\"}],\"isError\":true}}\n";
    play(&script);
}

#[test]
fn congestion_holds_calls_back() {
    play(&format!(
        r#"{READY}
        ! congested
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask"}}}}
        > {{$2,"id":2,"method":"ping"}}
        < {{$2,"id":2,"result":{{}}}}
        ! room
        s< {{"start":…
        "#
    ));
}

#[test]
fn waiting_requests_are_bounded_by_count() {
    let mut script = "> $HELLO\n< …\n".to_owned();
    for id in 0..1024 {
        script += &format!(
            "> {{$2,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\n"
        );
    }
    script += "> {$2,\"id\":\"more\",\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}\n";
    script += "< {$2,\"id\":\"more\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"…not dispatched…safe…\"}],\"isError\":true}}\n";
    script += "> {$2,\"id\":\"list\",\"method\":\"tools/list\"}\n< {$2,\"id\":\"list\",\"error\":{\"code\":-33001,…\n";
    script += "> {$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":77}}\n";
    script += "> {$2,\"id\":\"more\",\"method\":\"tools/call\",\"params\":{\"name\":\"ask\"}}\n";
    play(&script);
}

#[test]
fn waiting_requests_are_bounded_by_bytes() {
    let big = "x".repeat(9 << 20);
    let call = |id: u32| {
        format!(
            "> {{$2,\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",\"arguments\":{{\"t\":\"{big}\"}}}}}}\n"
        )
    };
    play(&format!(
        "> $HELLO\n< …\n{}{}< {{$2,\"id\":2,\"result\":{{…\"isError\":true}}}}\n\
         > {{$2,\"method\":\"notifications/cancelled\",\"params\":{{\"requestId\":1}}}}\n{}",
        call(1),
        call(2),
        call(3)
    ));
}

#[test]
fn PB_02_progress_repeats_its_token_and_grows() {
    for token in ["\"open-77\"", "0", "8", "\"\"", "123456789012345678901"] {
        play(&format!(
            r#"{READY}
            > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask","_meta":{{"progressToken":{token}}}}}}}
            s< …"progress":true}}}}
            s> started 2 5
            s> progress 5 1
            < {{$2,"method":"notifications/progress","params":{{"progressToken":{token},"progress":1,"total":3,"message":"step"}}}}
            +200ms
            s> progress 5 1
            s> progress 5 0.5
            s> progress 5 2.5
            < {{…"progress":2.5,…
            # PB-05: at most five in a second, and the latest of those
            +100ms
            s> progress 5 2.6
            s> progress 5 2.7
            +99ms
            +1ms
            < {{…"progress":2.7,…
            s> progress 5 2.8
            s> completed 5 done
            < {{$2,"id":1,…
            # PB-03: never after the answer
            +1s
            s> progress 5 3
            "#
        ));
    }
}

#[test]
fn P26_01_without_a_token_there_is_no_progress() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask"}}}}
        s< …"progress":false}}}}
        s> started 2 5
        s> progress 5 1
        "#
    ));
}

#[test]
fn messages_about_nothing_known_are_ignored() {
    play(&format!(
        r#"{READY}
        s> started 99 1
        s> completed 98 x
        s> progress 97 1
        s> rejected 96 busy
        s> catalog 95 1
        s> opened 94 $WS
        s> {{"workspace_released":{{"sequence":93}}}}
        "#
    ));
}
