//! A cancelled request gets no further message, wherever it was.

use super::*;

const CANCEL: &str = "> {$2,\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}\n";
const CALL: [&str; 2] = [
    "> {$2,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"_meta\":{\"progressToken\":1}}}\n",
    "> {$2,\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\",\"_meta\":{$ENVELOPE,\"progressToken\":1}}}\n",
];
const CHOOSE: [&str; 2] = [
    "> $HELLO\n< …\n",
    "> {$2,\"id\":\"c\",\"method\":\"subscriptions/listen\",\"params\":{$META,\"notifications\":{}}}\n< …\n",
];

/// In both revisions; the sequences differ by the one that chose 2026-07-28.
fn check(script: impl Fn(&str, u64) -> String) {
    for (era, call) in CALL.iter().enumerate() {
        let first = era as u64 + 1;
        play(&format!("{}{}", CHOOSE[era], script(call, first)));
    }
}

#[test]
fn N26_03_a_call_cancelled_before_it_was_sent_is_never_sent() {
    check(|call, s| {
        format!(
            "{call}{CANCEL}! admitted\ns< …\ns> catalog {} 1\n+1s\n{call}s< {{\"start\":…",
            s + 1
        )
    });
}

#[test]
fn N26_03_a_call_cancelled_before_it_started_is_cancelled_when_it_has() {
    check(|call, s| {
        let start = s + 1;
        format!(
            "! admitted\ns< …\ns> catalog {s} 1\n{call}s< …\n{CANCEL}s> started {start} 7\n\
             s< {{\"cancel\":{{\"work\":7}}}}\ns> progress 7 1\ns> completed 7 late\n+100s\n"
        )
    });
}

#[test]
fn N25_03_a_started_call_is_cancelled_at_once_and_stays_silent() {
    check(|call, s| {
        let start = s + 1;
        format!(
            "! admitted\ns< …\ns> catalog {s} 1\n{call}s< …\ns> started {start} 7\n{CANCEL}\
             s< {{\"cancel\":{{\"work\":7}}}}\n{CANCEL}s> progress 7 1\ns> completed 7 late\n! lost\n"
        )
    });
}

#[test]
fn N25_06_a_cancel_after_the_answer_changes_nothing() {
    check(|call, s| {
        let start = s + 1;
        format!(
            "! admitted\ns< …\ns> catalog {s} 1\n{call}s< …\ns> started {start} 7\ns> completed 7 x\n< {{$2,\"id\":1,…\n{CANCEL}"
        )
    });
}

#[test]
fn TR_41_a_cancelled_id_is_free_and_late_answers_do_not_reach_its_next_owner() {
    check(|call, s| {
        let (start, next) = (s + 1, s + 2);
        format!(
            "! admitted\ns< …\ns> catalog {s} 1\n{call}s< …\ns> started {start} 7\n{CANCEL}s< …\n\
             {call}s< …\ns> started {next} 8\ns> completed 7 old\ns> completed 8 new\n< {{$2,\"id\":1,…new…\n"
        )
    });
}

#[test]
fn a_rejected_or_lost_call_that_was_cancelled_stays_silent() {
    check(|call, s| {
        let start = s + 1;
        format!(
            "! admitted\ns< …\ns> catalog {s} 1\n{call}s< …\n{CANCEL}s> rejected {start} busy\n\
             {call}s< …\n{CANCEL}! lost\n! end of input\nexit\n"
        )
    });
}

#[test]
fn a_cancelled_list_stays_silent() {
    play(&format!(
        "> $HELLO\n< …\n> {{$2,\"id\":1,\"method\":\"tools/list\"}}\n{CANCEL}! admitted\ns< …\ns> catalog 2 1\n+20s"
    ));
}

#[test]
fn an_id_of_another_type_cancels_nothing() {
    play(
        r#"
        > $HELLO
        < …
        > {$2,"id":"1","method":"tools/list"}
        > {$2,"method":"notifications/cancelled","params":{"requestId":1}}
        > {$2,"method":"notifications/cancelled","params":{"requestId":"\u0031x"}}
        ! admitted
        s< …
        s> catalog 2 1
        < {$2,"id":"1","result":…
        "#,
    );
}

#[test]
fn a_cancel_may_carry_an_envelope() {
    play(
        r#"
        > {$2,"id":1,"method":"tools/list","params":{$META}}
        > {$2,"method":"notifications/cancelled","params":{$META,"requestId":1,"reason":7}}
        ! admitted
        s< …
        s> catalog 2 1
        "#,
    );
}
