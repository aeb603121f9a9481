//! The handshake of 2025-11-25 and what its results hold.

use super::*;

const INITIALIZED: &str = r#"< {$2,"id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":$INFO,"instructions":"Ghostlight…"}}"#;

fn initialized(id: &str) -> String {
    INITIALIZED.replace("ID", id)
}

#[test]
fn L25_02_the_handshake_needs_version_capabilities_and_identity() {
    let version = r#""protocolVersion":"2025-11-25""#;
    let identity = r#""clientInfo":{"name":"n","version":"1"}"#;
    for params in [
        format!(r#""capabilities":{{}},{identity}"#),
        format!(r#""protocolVersion":5,"capabilities":{{}},{identity}"#),
        format!("{version},{identity}"),
        format!(r#"{version},"capabilities":[],{identity}"#),
        format!(r#"{version},"capabilities":{{}}"#),
        format!(r#"{version},"capabilities":{{}},"clientInfo":[]"#),
        format!(r#"{version},"capabilities":{{}},"clientInfo":{{"name":"n"}}"#),
        format!(r#"{version},"capabilities":{{}},"clientInfo":{{"name":7,"version":"1"}}"#),
        format!(r#"{version},"capabilities":null,{identity}"#),
    ] {
        play(&format!(
            "> {{$2,\"id\":1,\"method\":\"initialize\",\"params\":{{{params}}}}}\n\
             < {{$2,\"id\":1,\"error\":{{\"code\":-32602,…\n\
             > $HELLO\n{}",
            initialized("\"hello\"")
        ));
    }
}

#[test]
fn L25_05_another_version_is_offered_whatever_is_asked_for() {
    for version in ["2025-11-25", "2026-07-28", "2025-06-18", "2024-11-05", "", "x"] {
        play(&format!(
            "> {{$2,\"id\":0,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":\"{version}\",\
             \"capabilities\":{{}},\"clientInfo\":{{\"name\":\"n\",\"version\":\"1\"}}}}}}\n{}",
            initialized("0")
        ));
    }
}

#[test]
fn L25_13_a_repeated_handshake_replays_the_first_and_resets_nothing() {
    play(&format!(
        r#"
        > $HELLO
        {first}
        ! admitted
        s< {{"catalog":{{"sequence":1,"context":{{"client":{{"name":"pine","version":"1"}}}}}}}}
        s> catalog 1 1
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use"}}}}
        s< {{"open_workspace":{{"sequence":3,"workspace":null,…
        > {{$2,"id":2,"method":"initialize","params":{{"protocolVersion":"2025-11-25","capabilities":{{}},"clientInfo":{{"name":"oak","version":"2"}}}}}}
        {second}
        s> opened 3 $WS
        s< …"workspace":"$WS"…"name":"pine"…
        "#,
        first = initialized("\"hello\""),
        second = initialized("2"),
    ));
}

#[test]
fn H25_01_ping_is_answered_in_every_state() {
    play(
        r#"
        > {$2,"id":"p","method":"ping"}
        < {$2,"id":"p","result":{}}
        > $HELLO
        < …
        > {$2,"id":"p","method":"ping","params":{}}
        < {$2,"id":"p","result":{}}
        ! end of input
        exit
        "#,
    );
}

#[test]
fn L25_14_no_member_of_the_other_revision_is_in_a_result() {
    play(
        r#"
        $OPENED
        > {$2,"id":1,"method":"tools/list"}
        < {$2,"id":1,"result":{"tools":[{"name":"make","title":"T","description":"D","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"object","properties":{"tabId":{"type":"number"}},"required":["tabId"]},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},{"name":"use","title":"T","description":"D","inputSchema":{"type":"object","properties":{}},"annotations":{"readOnlyHint":false,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},{"name":"ask",…,"annotations":{…}}]}}
        > {$2,"id":2,"method":"tools/call","params":{"name":"ask","arguments":{}}}
        s< …
        s> started 2 1
        s> completed 1 hi
        < {$2,"id":2,"result":{"content":[{"type":"text","text":"hi"}]}}
        "#,
    );
}

#[test]
fn T25_04_list_changes_are_told_plainly_and_after_initialized_only() {
    play(
        r#"
        $OPENED
        s> {"catalog_changed":{"generation":2}}
        +1s
        > {$2,"id":1,"method":"tools/list"}
        s< {"catalog":{"sequence":3,…
        s> catalog 3 2
        < {$2,"id":1,"result":{"tools":[…"name":"more"…
        > {$2,"method":"notifications/initialized"}
        s> {"catalog_changed":{"generation":3}}
        s> {"catalog_changed":{"generation":4}}
        +99ms
        +1ms
        < {$2,"method":"notifications/tools/list_changed"}
        +10s
        "#,
    );
}

#[test]
fn a_restriction_given_with_the_handshake_goes_with_every_request() {
    play(
        r#"
        > {$2,"id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"n","version":"1"},"_meta":{"org.ghostlight/restriction":{"only":"reading"}}}}
        < …
        ! admitted
        s< …
        s> catalog 1 1
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        s< …"restriction":{"only":"reading"}…
        s> rejected 2 restriction
        < {$2,"id":1,"result":{"content":[{"type":"text","text":"The reason."}],"isError":true}}
        > {$2,"id":2,"method":"tools/list"}
        s< {"catalog":{"sequence":3,…"restriction":{"only":"reading"}…
        s> rejected 3 restriction
        < {$2,"id":2,"error":{"code":-32602,"message":"The reason.","data":{"disposition":"not_dispatched"}}}
        "#,
    );
}
