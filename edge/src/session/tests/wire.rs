//! Small obligations of the wire that no larger transcript shows.

use super::*;

const READY: &str = "$OPENED\n";

#[test]
fn L25_11_the_handshake_cannot_be_cancelled() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"method":"notifications/cancelled","params":{"requestId":"hello"}}
        > {$2,"method":"notifications/initialized"}
        > {$2,"id":1,"method":"ping"}
        < {$2,"id":1,"result":{}}
        "#,
    );
}

#[test]
fn N25_05_a_cancel_that_names_nobody_changes_nothing() {
    let cancel =
        |params: &str| format!(r#"> {{$2,"method":"notifications/cancelled","params":{params}}}"#);
    for params in [
        r#"{}"#,
        r#"{"reason":"none"}"#,
        r#"{"requestId":null}"#,
        r#"{"requestId":[1]}"#,
        r#"{"requestId":1.0}"#,
        r#"{"requestId":"1"}"#,
        r#"{"requestId":2}"#,
    ] {
        play(&format!(
            "{READY}> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\ns< …\ns> started 2 1\n{}\ns> completed 1 still\n< {{$2,\"id\":1,…still…",
            cancel(params)
        ));
    }
}

#[test]
fn T25_06_members_for_tasks_change_nothing() {
    for meta in ["", r#","_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t"}}"#] {
        play(&format!(
            "{READY}> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\",\"task\":{{\"ttl\":1}}{meta}}}}}\n\
             s< {{\"start\":{{\"sequence\":2,\"operation\":\"ask\",\"arguments\":{{}},…\ns> started 2 1\ns> completed 1 ran\n\
             < {{$2,\"id\":1,\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"ran\"}}]}}}}"
        ));
    }
    play(
        r#"
        > {$2,"id":1,"method":"tools/call","params":{$META,"name":"ask","task":{"ttl":1}}}
        ! admitted
        s< …
        s> catalog 2 1
        s< {"start":{"sequence":1,"operation":"ask","arguments":{},…
        s> started 1 1
        s> completed 1 ran
        < {$2,"id":1,"result":{$COMPLETE,"content":[{"type":"text","text":"ran"}],$SERVER}}
        "#,
    );
}

#[test]
fn X26_01_what_is_not_offered_does_not_exist() {
    for method in [
        "tasks/get",
        "tasks/update",
        "tasks/cancel",
        "tasks/result",
        "tasks/list",
        "resources/list",
        "resources/read",
        "resources/templates/list",
        "resources/subscribe",
        "resources/unsubscribe",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "roots/list",
        "sampling/createMessage",
        "elicitation/create",
        "",
        "Tools/List",
    ] {
        for before in ["", "> $HELLO\n< …\n"] {
            play(&format!(
                "{before}> {{$2,\"id\":1,\"method\":\"{method}\"}}\n< {{$2,\"id\":1,\"error\":{{\"code\":-32601,…\n\
                 > {{$2,\"id\":2,\"method\":\"{method}\",\"params\":{{$META}}}}\n< {{$2,\"id\":2,\"error\":{{\"code\":-32601,…"
            ));
        }
    }
}

#[test]
fn B_03_only_the_version_makes_an_envelope() {
    for member in [
        r#""io.modelcontextprotocol/clientCapabilities":{}"#,
        r#""io.modelcontextprotocol/clientInfo":{"name":"n","version":"1"}"#,
        r#""io.modelcontextprotocol/logLevel":"debug""#,
        r#""traceparent":"00-3d6f1e0a9b7c4d52a1e08f6b2c93d710-51f2a7c09e3b6d84-01""#,
        r#""org.example/anything":null"#,
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"ping\",\"params\":{{\"_meta\":{{{member}}}}}}}\n< {{$2,\"id\":1,\"result\":{{}}}}\n\
             > {{$2,\"id\":2,\"method\":\"tools/list\",\"params\":{{\"_meta\":{{{member}}}}}}}\n\
             < {{$2,\"id\":2,\"error\":{{\"code\":-32602,\"message\":\"Missing _meta member io.modelcontextprotocol/protocolVersion\",…"
        ));
    }
}

#[test]
fn V26_14_the_first_fault_in_order_is_told() {
    let meta = |version: &str, rest: &str| {
        format!(r#"{{"_meta":{{"io.modelcontextprotocol/protocolVersion":{version}{rest}}}}}"#)
    };
    let whole = r#","io.modelcontextprotocol/clientCapabilities":{}"#;
    let loud = format!(r#"{whole},"io.modelcontextprotocol/logLevel":"loud""#);
    for (method, params, code) in [
        ("none", meta("\"2027-01-01\"", ""), -32602),
        ("none", meta("7", whole), -32602),
        ("none", meta("\"2027-01-01\"", &loud), -32022),
        ("none", meta("\"2026-07-28\"", &loud), -32601),
        ("tools/call", meta("\"2026-07-28\"", &loud), -32602),
        ("tools/call", meta("\"2026-07-28\"", whole), -32602),
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"{method}\",\"params\":{params}}}\n< {{$2,\"id\":1,\"error\":{{\"code\":{code},…"
        ));
    }
}

#[test]
fn V26_16_what_belongs_to_http_is_ignored() {
    play(
        r#"
        > {$2,"id":1,"method":"server/discover","MCP-Protocol-Version":"2025-03-26","headers":{"Mcp-Method":"x"},"params":{$META,"x-mcp-header":"y"}}
        < {$2,"id":1,"result":{$COMPLETE,…
        "#,
    );
}

#[test]
fn V26_05_no_declared_capability_is_remembered_or_needed() {
    play(
        r#"
        > {$2,"id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}
        < …
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}
        > {$2,"id":3,"method":"tools/call","params":{"name":"ask","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"unheard":[null,1.5]}}}}
        ! admitted
        s< …
        s> catalog 3 1
        s< {"start":{"sequence":1,"operation":"ask","arguments":{},"workspace":null,"context":{},"progress":false}}
        s< {"start":{"sequence":2,"operation":"ask","arguments":{},"workspace":null,"context":{},"progress":false}}
        "#,
    );
}

#[test]
fn U26_10_no_progress_goes_to_a_subscription() {
    play(
        r#"
        > {$2,"id":"l","method":"subscriptions/listen","params":{"_meta":{$ENVELOPE,"progressToken":"t"},"notifications":{"toolsListChanged":true}}}
        < {$2,"method":"notifications/subscriptions/acknowledged",…
        > {$2,"id":1,"method":"tools/call","params":{"_meta":{$ENVELOPE,"progressToken":"u"},"name":"ask"}}
        ! admitted
        s< …
        s> catalog 3 1
        s< …
        s> started 2 1
        s> progress 1 1
        < {$2,"method":"notifications/progress","params":{"progressToken":"u","progress":1,"total":3,"message":"step"}}
        "#,
    );
}

#[test]
fn U26_06_kinds_that_were_not_asked_for_are_never_sent() {
    for filter in ["{}", r#"{"toolsListChanged":false}"#, r#"{"resourcesListChanged":true}"#] {
        play(&format!(
            r#"
            > {{$2,"id":"l","method":"subscriptions/listen","params":{{$META,"notifications":{filter}}}}}
            < {{$2,"method":"notifications/subscriptions/acknowledged","params":{{"_meta":{{"io.modelcontextprotocol/subscriptionId":"l"}},"notifications":{{}}}}}}
            > {{$2,"id":1,"method":"tools/list","params":{{$META}}}}
            ! admitted
            s< …
            s> catalog 3 1
            < …
            s> {{"catalog_changed":{{"generation":2}}}}
            +1s
            # the request stays open: its id is taken
            > {{$2,"id":"l","method":"tools/list","params":{{$META}}}}
            < {{$2,"id":"l","error":{{"code":-32600,…
            "#
        ));
    }
}

#[test]
fn N26_04_a_cancel_of_what_is_over_changes_nothing() {
    play(
        r#"
        > {$2,"id":"l","method":"subscriptions/listen","params":{$META,"notifications":{}}}
        < …
        > {$2,"method":"notifications/cancelled","params":{"requestId":"l"}}
        > {$2,"method":"notifications/cancelled","params":{"requestId":"l"}}
        > {$2,"id":"d","method":"server/discover","params":{$META}}
        < {$2,"id":"d","result":{…
        > {$2,"method":"notifications/cancelled","params":{"requestId":"d"}}
        ! stop
        exit
        "#,
    );
}

#[test]
fn B_11_both_revisions_list_the_same_tools_in_the_same_order() {
    let names = |script: &str, request: &str| {
        let mut session = play(script);
        let mut out = Effects::default();
        let line = expand(request);
        session.on(Event::Line(Line::Text(line.as_bytes())), Instant::now(), &mut out);
        let mut lines = String::from_utf8(std::mem::take(&mut out.lines)).unwrap();
        if lines.is_empty() {
            session.on(Event::Admitted, Instant::now(), &mut out);
            session.on(Event::Service(service_message("catalog 2 2")), Instant::now(), &mut out);
            session.on(Event::Service(service_message("catalog 1 2")), Instant::now(), &mut out);
            lines = String::from_utf8(std::mem::take(&mut out.lines)).unwrap();
        }
        let named = lines.split("{\"name\":\"").skip(1).map(|rest| rest.split('"').next());
        named.map(|name| name.unwrap().to_owned()).filter(|name| name != "ghostlight").collect()
    };
    let old: Vec<String> = names("> $HELLO\n< …", r#"{$2,"id":1,"method":"tools/list"}"#);
    let new: Vec<String> = names("", r#"{$2,"id":1,"method":"tools/list","params":{$META}}"#);
    assert_eq!(old, ["make", "use", "ask", "more"]);
    assert_eq!(old, new);
}
