//! The implicit workspace of 2025-11-25 and the explicit ones of 2026-07-28.

use super::*;

const READY: &str = "$OPENED\n";
const READY_2026: &str = "> {$2,\"id\":\"c\",\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{}}}\n< …\n! admitted\ns< …\ns> catalog 2 1\n";

#[test]
fn the_implicit_workspace_is_opened_at_the_first_call_that_needs_it() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask"}}}}
        s< …"workspace":null…
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"use","arguments":{{"workspaceId":"mine"}}}}}}
        s< {{"open_workspace":{{"sequence":4,"workspace":null,"context":{{"client":{{"name":"pine","version":"1"}}}}}}}}
        > {{$2,"id":3,"method":"tools/call","params":{{"name":"make"}}}}
        > {{$2,"id":4,"method":"tools/call","params":{{"name":"ask"}}}}
        s> opened 4 $WS
        s< {{"start":{{"sequence":3,"operation":"use","arguments":{{"workspaceId":"mine"}},"workspace":"$WS",…
        s< {{"start":{{"sequence":5,"operation":"make","arguments":{{}},"workspace":"$WS",…
        s< {{"start":{{"sequence":6,…"workspace":null…
        s> started 5 1
        s> {{"completed":{{"work":1,"workspace":"$WS","outcome":{{"disposition":"success","content":[{{"text":"made"}}],"structured":{{"tabId":1}}}}}}}}
        < {{$2,"id":3,"result":{{"content":[{{"type":"text","text":"made"}}],"structuredContent":{{"tabId":1}}}}}}
        "#
    ));
}

#[test]
fn the_implicit_workspace_outlives_a_lost_connection() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use"}}}}
        s< {{"open_workspace":…
        s> opened 3 $WS
        s< …
        s> started 2 1
        s> completed 1 x
        < …
        ! lost
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"use"}}}}
        ! admitted
        s< {{"catalog":…
        s> catalog 5 1
        s< {{"open_workspace":{{"sequence":6,"workspace":"$WS",…
        # the service started anew: it mints another, and the client need not know
        s> opened 6 $WS2
        s< {{"start":{{"sequence":4,…"workspace":"$WS2",…
        ! end of input
        s> started 4 1
        s> completed 1 x
        < …
        s< {{"release_workspace":{{"sequence":7,"workspace":"$WS2"}}}}
        exit
        "#
    ));
}

#[test]
fn an_implicit_workspace_that_ended_is_opened_anew_without_a_word() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use","arguments":{{"a":1}}}}}}
        s< …
        s> opened 3 $WS
        s< …
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"use"}}}}
        s< …
        s> rejected 2 invalid_workspace
        s< {{"open_workspace":{{"sequence":5,"workspace":null,…
        s> rejected 4 invalid_workspace
        s> opened 5 $WS2
        s< {{"start":{{"sequence":4,…"workspace":"$WS2",…
        s< {{"start":{{"sequence":2,"operation":"use","arguments":{{"a":1}},"workspace":"$WS2",…
        # but not for ever
        s> rejected 2 invalid_workspace
        < {{$2,"id":1,"result":{{"content":[{{"type":"text","text":"The reason."}}],"isError":true}}}}
        "#
    ));
}

#[test]
fn a_workspace_that_cannot_be_opened_fails_the_calls_that_need_it() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use"}}}}
        s< …
        s> rejected 3 busy
        < {{$2,"id":1,"result":{{"content":[{{"type":"text","text":"The reason."}}],"isError":true}}}}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use"}}}}
        s< {{"open_workspace":{{"sequence":5,"workspace":null,…
        "#
    ));
}

#[test]
fn Z26_02_a_call_without_a_living_workspace_names_the_way_to_one() {
    let text = "…workspaceId…Nothing ran…call make and pass…";
    for arguments in [
        "",
        r#","arguments":{}"#,
        r#","arguments":{"workspaceId":"ws_1"}"#,
        r#","arguments":{"workspaceId":7}"#,
        r#","arguments":{"workspaceId":null}"#,
        r#","arguments":{"workspaceId":"$WS","workspaceId":"$WS"}"#,
        r#","arguments":{"workspaceId":"WS_07070707070707070707070707070707"}"#,
    ] {
        play(&format!(
            "{READY_2026}> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"use\",$META{arguments}}}}}\n\
             < {{$2,\"id\":1,\"result\":{{$COMPLETE,\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}],\"isError\":true,$SERVER}}}}"
        ));
    }
}

#[test]
fn unknown_workspaces_get_the_same_words_as_missing_ones() {
    let answer = |script: String| {
        let mut session = play(&format!("{READY_2026}{script}"));
        let mut out = Effects::default();
        let line = match session.requests.first_waiting() {
            Some(_) => unreachable!(),
            None => expand(r#"{$2,"id":1,"method":"tools/call","params":{"name":"use",$META}}"#),
        };
        session.on(Event::Line(Line::Text(line.as_bytes())), Instant::now(), &mut out);
        String::from_utf8(out.lines).unwrap()
    };
    let missing = answer(String::new());
    let mut session = play(&format!(
        "{READY_2026}> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"use\",$META,\"arguments\":{{\"workspaceId\":\"$WS\"}}}}}}\ns< …"
    ));
    let mut out = Effects::default();
    let rejected = service_message("rejected 3 invalid_workspace");
    session.on(Event::Service(rejected), Instant::now(), &mut out);
    assert_eq!(String::from_utf8(out.lines).unwrap(), missing);
}

#[test]
fn a_workspace_leaves_the_arguments_and_goes_with_the_call() {
    play(&format!(
        r#"{READY_2026}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use",$META,"arguments":{{"a": 1.0,"workspaceId":"$WS","é":{{"workspaceId":2}}}}}}}}
        s< {{"start":{{"sequence":3,"operation":"use","arguments":{{"a":1.0,"é":{{"workspaceId":2}}}},"workspace":"$WS",…
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"make",$META,"arguments":{{"workspaceId":"$WS"}}}}}}
        s< {{"start":{{"sequence":4,"operation":"make","arguments":{{}},"workspace":"$WS",…
        > {{$2,"id":3,"method":"tools/call","params":{{"name":"make",$META,"arguments":{{"workspaceId":"x"}}}}}}
        < {{$2,"id":3,"result":{{…"isError":true,…
        # a tool without a workspace gets the member as any other: the service refuses it
        > {{$2,"id":4,"method":"tools/call","params":{{"name":"ask",$META,"arguments":{{"workspaceId":"$WS"}}}}}}
        s< …"arguments":{{"workspaceId":"$WS"}},"workspace":null,…
        "#
    ));
}

#[test]
fn a_created_workspace_is_told_in_text_and_in_facts() {
    play(&format!(
        r#"{READY_2026}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"make",$META}}}}
        s< {{"start":{{"sequence":3,"operation":"make","arguments":{{}},"workspace":null,…
        s> started 3 1
        s> {{"completed":{{"work":1,"workspace":"$WS","outcome":{{"disposition":"success","content":[{{"text":"made"}}],"structured":{{"tabId":1}}}}}}}}
        < {{$2,"id":1,"result":{{$COMPLETE,"content":[{{"type":"text","text":"made"}},{{"type":"text","text":"workspaceId: $WS\n…"}}],"structuredContent":{{"tabId":1,"workspaceId":"$WS"}},$SERVER}}}}
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"make",$META}}}}
        s< …
        s> started 4 2
        s> {{"completed":{{"work":2,"workspace":"$WS","outcome":{{"disposition":"tool_failure","content":[{{"text":"no"}}]}}}}}}
        < {{$2,"id":2,"result":{{$COMPLETE,"content":[{{"type":"text","text":"no"}}],"isError":true,$SERVER}}}}
        "#
    ));
}

#[test]
fn no_call_borrows_the_workspace_of_another() {
    play(&format!(
        r#"{READY_2026}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"make",$META}}}}
        s< …
        s> started 3 1
        s> {{"completed":{{"work":1,"workspace":"$WS","outcome":{{"disposition":"success","content":[{{"text":"x"}}]}}}}}}
        < …
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"use",$META}}}}
        < …"isError":true…
        > {{$2,"id":3,"method":"tools/call","params":{{"name":"make",$META}}}}
        s< …"workspace":null…
        "#
    ));
}
