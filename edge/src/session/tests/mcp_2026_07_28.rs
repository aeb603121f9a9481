//! The envelope of 2026-07-28, discovery, and subscriptions.

use super::*;

#[test]
fn D26_02_discovery_answers_at_once_and_in_full() {
    play(
        r#"
        > {$2,"id":"d-1","method":"server/discover","params":{$META}}
        < {$2,"id":"d-1","result":{$COMPLETE,"supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{"listChanged":true}},"instructions":"Ghostlight…","ttlMs":3600000,"cacheScope":"private",$SERVER}}
        "#,
    );
}

#[test]
fn V26_03_an_unknown_version_is_told_what_is_left() {
    play(
        r#"
        > {$2,"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-03-09","io.modelcontextprotocol/clientCapabilities":{}}}}
        < {$2,"id":1,"error":{"code":-32022,"message":"Protocol version 2027-03-09 is not supported","data":{"supported":["2026-07-28","2025-11-25"],"requested":"2027-03-09"}}}
        > {$2,"id":9,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}}}
        < {$2,"id":9,"error":{"code":-32022,"message":"…initialize…","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}}
        "#,
    );
}

#[test]
fn X_05_each_missing_member_is_named() {
    play(
        r#"
        > {$2,"id":8,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
        < {$2,"id":8,"error":{"code":-32602,"message":"Missing _meta member io.modelcontextprotocol/clientCapabilities"}}
        > {$2,"id":7,"method":"tools/call","params":{"name":"ask","arguments":{}}}
        < {$2,"id":7,"error":{"code":-32602,"message":"Missing _meta member io.modelcontextprotocol/protocolVersion","data":{"hint":"…"}}}
        > {$2,"id":"h","method":"initialize","params":{$META}}
        < {$2,"id":"h","error":{"code":-32601,"message":"Method initialize does not exist in 2026-07-28","data":{"supported":["2026-07-28","2025-11-25"]}}}
        "#,
    );
}

#[test]
fn V26_04_identity_and_trace_never_refuse_a_request() {
    for extra in [
        r#""io.modelcontextprotocol/clientInfo":7"#,
        r#""io.modelcontextprotocol/clientInfo":{}"#,
        r#""traceparent":7,"tracestate":{},"baggage":null"#,
        r#""io.modelcontextprotocol/logLevel":"debug""#,
        r#""progressToken":0"#,
        r#""unheard/of":1"#,
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"server/discover\",\"params\":{{\"_meta\":{{$ENVELOPE,{extra}}}}}}}\n< {{$2,\"id\":1,\"result\":…"
        ));
    }
}

#[test]
fn G26_03_options_of_the_envelope_are_checked() {
    for extra in [
        r#""io.modelcontextprotocol/logLevel":"loud""#,
        r#""io.modelcontextprotocol/logLevel":3"#,
        r#""progressToken":null"#,
        r#""progressToken":1.5"#,
        r#""progressToken":{}"#,
    ] {
        for method in ["server/discover", "tools/list", "tools/call", "subscriptions/listen"] {
            play(&format!(
                "> {{$2,\"id\":1,\"method\":\"{method}\",\"params\":{{\"_meta\":{{$ENVELOPE,{extra}}},\"name\":\"ask\",\"notifications\":{{}}}}}}\n\
                 < {{$2,\"id\":1,\"error\":{{\"code\":-32602,…"
            ));
        }
    }
}

#[test]
fn U26_01_a_filter_is_checked() {
    for filter in [
        "",
        r#","notifications":null"#,
        r#","notifications":[]"#,
        r#","notifications":{"toolsListChanged":1}"#,
        r#","notifications":{"promptsListChanged":null}"#,
        r#","notifications":{"resourceSubscriptions":"x"}"#,
        r#","notifications":{"resourceSubscriptions":[1]}"#,
        r#","notifications":{"toolsListChanged":true,"toolsListChanged":true}"#,
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{{$META{filter}}}}}\n< {{$2,\"id\":1,\"error\":{{\"code\":-32602,…"
        ));
    }
}

#[test]
fn U26_02_a_subscription_is_acknowledged_first_and_then_tagged() {
    play(
        r#"
        > {$2,"id":"all","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourceSubscriptions":["file:///x"]}}}
        < {$2,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"all"},"notifications":{"toolsListChanged":true}}}
        > {$2,"id":0,"method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
        < {$2,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":0},"notifications":{"toolsListChanged":true}}}
        > {$2,"id":"none","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":false}}}
        < {$2,"method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"none"},"notifications":{}}}
        ! admitted
        s< …
        s> catalog 4 1
        s> {"catalog_changed":{"generation":2}}
        s> {"catalog_changed":{"generation":3}}
        +100ms
        < {$2,"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"all"}}}
        < {$2,"method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":0}}}
        # U26-11: a cancelled one hears nothing more, and its id is free
        > {$2,"method":"notifications/cancelled","params":{"requestId":"all","reason":"closed"}}
        log request cancelled: closed
        > {$2,"id":1,"method":"tools/list","params":{$META}}
        s< {"catalog":{"sequence":6,…
        s> catalog 6 3
        < …
        s> {"catalog_changed":{"generation":4}}
        +100ms
        < …"io.modelcontextprotocol/subscriptionId":0…
        > {$2,"id":"all","method":"subscriptions/listen","params":{$META,"notifications":{}}}
        < …
        "#,
    );
}

#[test]
fn a_changed_list_after_a_reconnect_is_told_and_an_equal_one_is_not() {
    play(
        r#"
        > {$2,"id":"l","method":"subscriptions/listen","params":{$META,"notifications":{"toolsListChanged":true}}}
        < …
        ! admitted
        s< …
        s> catalog 2 1
        ! lost
        ! admitted
        s< {"catalog":{"sequence":3,…
        s> catalog 3 1
        +1s
        ! lost
        ! admitted
        s< {"catalog":{"sequence":4,…
        s> catalog 4 2
        +1s
        < …list_changed…
        "#,
    );
}

#[test]
fn U26_14_subscriptions_have_a_cap() {
    let mut script = String::new();
    for id in 0..64 {
        script += &format!(
            "> {{$2,\"id\":{id},\"method\":\"subscriptions/listen\",\"params\":{{$META,\"notifications\":{{}}}}}}\n< …acknowledged…\n"
        );
    }
    script += "> {$2,\"id\":64,\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{}}}\n< {$2,\"id\":64,\"error\":{\"code\":-32603,…\n";
    script += "> {$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}\n";
    script += "> {$2,\"id\":64,\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{}}}\n< …acknowledged…";
    play(&script);
}

#[test]
fn T26_01_the_list_carries_workspaces_and_how_long_it_holds() {
    let script = r#"
        > {$2,"id":1,"method":"tools/list","params":{$META}}
        ! admitted
        s< …
        s> catalog 2 1
        < {$2,"id":1,"result":{$COMPLETE,"tools":[{"name":"make",…,"inputSchema":{"type":"object","properties":{"workspaceId":{"type":"string","description":"…"}}},"outputSchema":{"type":"object","properties":{"tabId":{"type":"number"},"workspaceId":{"type":"string",…}},"required":["tabId","workspaceId"]},…},{"name":"use",…"properties":{"workspaceId":…},{"name":"ask",…"inputSchema":{"type":"object","properties":{}},"annotations":{…}}],"ttlMs":60000,"cacheScope":"private",$SERVER}}
        "#;
    play(script);
}

#[test]
fn a_list_under_a_restriction_is_its_own_question() {
    play(
        r#"
        > {$2,"id":1,"method":"tools/list","params":{"_meta":{$ENVELOPE,"org.ghostlight/restriction":"tight"}}}
        ! admitted
        s< {"catalog":{"sequence":2,"context":{}}}
        s< {"catalog":{"sequence":1,"context":{"restriction":"tight"}}}
        s> catalog 2 1
        s> catalog 1 1
        < {$2,"id":1,"result":{…,"ttlMs":0,"cacheScope":"private",…
        "#,
    );
}

#[test]
fn I26_07_members_that_answer_no_question_are_checked_for_their_type() {
    for (extra, sound) in [
        (r#""requestState":"s","inputResponses":{},"task":{}"#, true),
        (r#""requestState":7"#, false),
        (r#""inputResponses":[]"#, false),
    ] {
        let answer = if sound { "" } else { "< {$2,\"id\":1,\"error\":{\"code\":-32602,…" };
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{$META,\"name\":\"ask\",{extra}}}}}\n{answer}"
        ));
    }
}
