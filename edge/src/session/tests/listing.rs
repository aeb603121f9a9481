//! `tools/list`: it waits for the service, and is the same bytes while nothing changed.

use super::*;

#[test]
fn a_list_waits_for_the_service_and_is_then_kept() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/list"}
        > {$2,"id":2,"method":"tools/list","params":{}}
        +5s
        ! admitted
        s< {"catalog":{"sequence":3,…
        s> catalog 3 1
        < {$2,"id":1,"result":…
        < {$2,"id":2,"result":…
        > {$2,"id":3,"method":"tools/list"}
        < {$2,"id":3,"result":…
        "#,
    );
}

#[test]
fn T26_04_the_list_is_the_same_bytes_in_every_answer() {
    let mut session = play("$OPENED");
    let mut answers = Vec::new();
    for _ in 0..3 {
        let mut out = Effects::default();
        let line = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
        session.on(Event::Line(Line::Text(line)), Instant::now(), &mut out);
        answers.push(out.lines);
    }
    assert!(answers[0].len() > 100 && answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn AB_04_any_cursor_is_invalid() {
    for cursor in ["\"page-2\"", "\"\"", "null", "7"] {
        play(&format!(
            "> $HELLO\n< …\n> {{$2,\"id\":23,\"method\":\"tools/list\",\"params\":{{\"cursor\":{cursor}}}}}\n\
             < {{$2,\"id\":23,\"error\":{{\"code\":-32602,\"message\":\"Invalid cursor\"}}}}"
        ));
    }
}

#[test]
fn a_list_that_no_service_answers_ends_as_unavailable() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/list"}
        +10s
        < {$2,"id":1,"error":{"code":-33001,"message":"…","data":{"disposition":"not_dispatched"}}}
        > {$2,"id":1,"method":"tools/list"}
        ! unreachable
        < {$2,"id":1,"error":{"code":-33001,"message":"The place is unsafe. Nothing ran. …
        > {$2,"id":1,"method":"tools/list"}
        ! admitted
        s< …
        s> rejected 4 busy
        < {$2,"id":1,"error":{"code":-33001,"message":"The reason.",…
        > {$2,"id":1,"method":"tools/list"}
        s< …
        s> catalog 6 1
        < {$2,"id":1,"result":…
        "#,
    );
}

#[test]
fn an_answer_older_than_the_last_change_is_asked_for_again() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/list"}
        ! admitted
        s< {"catalog":{"sequence":2,…
        s> {"catalog_changed":{"generation":2}}
        s> catalog 2 1
        s< {"catalog":{"sequence":3,…
        s> catalog 3 2
        < {$2,"id":1,"result":…"more"…
        "#,
    );
}

#[test]
fn a_list_asked_again_after_a_loss_is_answered_once() {
    play(
        r#"
        > {$2,"id":1,"method":"tools/list","params":{$META}}
        > {$2,"id":2,"method":"tools/list","params":{"_meta":{$ENVELOPE,"org.ghostlight/restriction":1}}}
        ! admitted
        s< {"catalog":{"sequence":3,…
        s< {"catalog":{"sequence":2,…
        ! lost
        ! admitted
        s< {"catalog":{"sequence":4,…
        s< {"catalog":{"sequence":2,…
        s> catalog 4 1
        < {$2,"id":1,"result":…
        s> catalog 2 1
        < {$2,"id":2,"result":…
        "#,
    );
}
