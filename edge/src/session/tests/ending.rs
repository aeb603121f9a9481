//! The end of the input, signals, and what an idle session leaves behind.

use super::*;

const READY: &str = "$OPENED\n";

#[test]
fn FB_14_what_was_read_is_answered_before_the_end() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        > {$2,"id":2,"method":"tools/list"}
        ! end of input
        +300ms
        ! admitted
        s< …
        s> catalog 3 1
        < {$2,"id":2,…
        s< {"start":…
        s> started 1 1
        s> completed 1 x
        < {$2,"id":1,…
        exit
        "#,
    );
}

#[test]
fn an_end_with_nothing_waiting_is_immediate() {
    play("! end of input\nexit");
    play(&format!("{READY}! end of input\nexit"));
    play(
        "> {$2,\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{}}}\n< …\n! end of input\nexit",
    );
}

#[test]
fn at_the_end_of_the_time_every_request_is_told_the_truth() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"ask"}}}}
        s< …
        s> started 2 7
        ! congested
        > {{$2,"id":2,"method":"tools/call","params":{{"name":"ask"}}}}
        ! end of input
        +899ms
        +1ms
        < {{$2,"id":1,"error":{{"code":-33003,…
        < {{$2,"id":2,"error":{{"code":-33001,…
        s< {{"cancel":{{"work":7}}}}
        exit
        "#
    ));
}

#[test]
fn FB_15_a_signal_answers_nothing_and_ends_subscriptions() {
    play(
        r#"
        > {$2,"id":"sub","method":"subscriptions/listen","params":{$META,"notifications":{}}}
        < …
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask",$META}}
        ! stop
        < {$2,"id":"sub","result":{$COMPLETE,"_meta":{"io.modelcontextprotocol/subscriptionId":"sub","io.modelcontextprotocol/serverInfo":$INFO}}}
        < {$2,"method":"notifications/cancelled","params":{"requestId":"sub","reason":"…"}}
        exit
        "#,
    );
}

#[test]
fn a_signal_cancels_work_and_gives_the_workspace_up() {
    play(&format!(
        r#"{READY}
        > {{$2,"id":1,"method":"tools/call","params":{{"name":"use"}}}}
        s< …
        s> opened 3 $WS
        s< …
        s> started 2 9
        ! stop
        s< {{"cancel":{{"work":9}}}}
        s< {{"release_workspace":{{"sequence":4,"workspace":"$WS"}}}}
        exit
        # after the end nothing is done
        > {{$2,"id":1,"method":"ping"}}
        s> completed 9 x
        +100s
        "#
    ));
}

#[test]
fn an_idle_session_has_no_deadline() {
    let idle = [
        String::new(),
        READY.to_owned(),
        format!("{READY}> {{$2,\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"ask\"}}}}\ns< …\ns> started 2 1\ns> completed 1 x\n< …"),
        format!("{READY}> {{$2,\"method\":\"notifications/initialized\"}}\ns> {{\"catalog_changed\":{{\"generation\":2}}}}\n+1s\n< …"),
        "> {$2,\"id\":1,\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{\"toolsListChanged\":true}}}\n< …".to_owned(),
    ];
    for script in idle {
        assert_eq!(play(&script).deadline(), None, "{script}");
    }
}

#[test]
fn an_unreachable_service_fails_what_waits_and_says_why() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":1,"method":"tools/call","params":{"name":"ask"}}
        > {$2,"id":2,"method":"tools/list"}
        ! unreachable
        < {$2,"id":1,"error":{"code":-33001,"message":"The place is unsafe. Nothing ran. Retry: safe. …
        < {$2,"id":2,"error":{"code":-33001,…
        "#,
    );
}
