//! Which revision serves a request, over every sequence of three requests.

use super::*;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Chosen {
    Nothing,
    Mcp2025,
    Mcp2026,
}
use Chosen::{Mcp2025, Mcp2026, Nothing};

/// What a request is answered in each state, and what it leaves chosen. `0` is a result, `1` no
/// answer yet.
struct Row {
    method: &'static str,
    params: &'static str,
    answers: [i32; 3],
    chooses: Chosen,
}

const fn row(
    method: &'static str,
    params: &'static str,
    answers: [i32; 3],
    chooses: Chosen,
) -> Row {
    Row { method, params, answers, chooses }
}

const INITIALIZE: &str = r#","params":{"protocolVersion":"2026-07-28","capabilities":{},"clientInfo":{"name":"n","version":"1"}}"#;
const OLD: &str = r#","params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"n","version":"1"}}"#;
const META: &str = r#","params":{$META}"#;
const CALL: &str = r#","params":{"name":"ask"}"#;
const META_CALL: &str = r#","params":{"name":"ask",$META}"#;
const LISTEN: &str = r#","params":{"notifications":{},$META}"#;
const HALF: &str =
    r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
const TYPELESS: &str = r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}}}"#;
const LATER: &str = r#","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2027-03-09","io.modelcontextprotocol/clientCapabilities":{}}}"#;
const TOKEN: &str = r#","params":{"_meta":{"progressToken":0}}"#;

const ROWS: [Row; 27] = [
    row("initialize", INITIALIZE, [0, 0, -32600], Mcp2025),
    row("initialize", OLD, [0, 0, -32600], Mcp2025),
    row("initialize", "", [-32602, -32602, -32600], Nothing),
    row("initialize", META, [-32601, -32601, -32601], Nothing),
    row("initialize", HALF, [-32601, -32601, -32601], Nothing),
    row("ping", "", [0, 0, -32600], Nothing),
    row("ping", META, [-32601, -32601, -32601], Nothing),
    row("server/discover", META, [0, 0, 0], Nothing),
    row("server/discover", LATER, [-32022, -32022, -32022], Nothing),
    row("server/discover", HALF, [-32602, -32602, -32602], Nothing),
    row("server/discover", "", [-32601, -32601, -32602], Nothing),
    row("tools/list", META, [1, -32600, 1], Mcp2026),
    row("tools/list", TYPELESS, [-32602, -32602, -32602], Nothing),
    row("tools/list", HALF, [-32602, -32602, -32602], Nothing),
    row("tools/list", LATER, [-32022, -32022, -32022], Nothing),
    row("tools/list", TOKEN, [-32602, 1, -32602], Nothing),
    row("tools/list", "", [-32602, 1, -32602], Nothing),
    row("tools/call", META_CALL, [1, -32600, 1], Mcp2026),
    row("tools/call", META, [-32602, -32600, -32602], Mcp2026),
    row("tools/call", CALL, [-32602, 1, -32602], Nothing),
    row("subscriptions/listen", LISTEN, [0, -32600, 0], Mcp2026),
    row("subscriptions/listen", "", [-32602, -32601, -32602], Nothing),
    row("resources/list", "", [-32601, -32601, -32601], Nothing),
    row("resources/list", META, [-32601, -32601, -32601], Nothing),
    row("logging/setLevel", "", [-32601, -32601, -32601], Nothing),
    row("tasks/get", META, [-32601, -32601, -32601], Nothing),
    row("resources/list", LATER, [-32022, -32022, -32022], Nothing),
];

fn line(row: &Row, id: usize) -> String {
    expand(&format!(r#"{{$2,"id":{id},"method":"{}"{}}}"#, row.method, row.params))
}

fn answer_of(session: &mut Session, line: &str, id: usize) -> i32 {
    let mut out = Effects::default();
    session.on(Event::Line(Line::Text(line.as_bytes())), Instant::now(), &mut out);
    let answer = String::from_utf8(out.lines).unwrap();
    if answer.is_empty() {
        return 1;
    }
    assert!(answer.ends_with('\n') && answer.matches('\n').count() == 1, "{answer}");
    if answer.contains("notifications/subscriptions/acknowledged") {
        return 0;
    }
    let rest = answer.strip_prefix(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)).unwrap();
    match rest.strip_prefix(r#""error":{"code":"#) {
        Some(code) => code.split(',').next().unwrap().parse().unwrap(),
        None => 0,
    }
}

#[test]
fn every_sequence_of_three_requests_is_answered_by_the_choice_made_before() {
    let lines: Vec<_> = ROWS.iter().map(|row| [0, 1, 2].map(|id| line(row, id))).collect();
    let count = ROWS.len();
    for sequence in 0..count.pow(3) {
        let order = [sequence / count / count, sequence / count % count, sequence % count];
        let (mut session, mut chosen) = (Session::default(), Nothing);
        for (id, row) in order.into_iter().enumerate() {
            let got = answer_of(&mut session, &lines[row][id], id);
            let names = order.map(|row| (ROWS[row].method, ROWS[row].params));
            assert_eq!(got, ROWS[row].answers[chosen as usize], "request {id} of {names:?}");
            if chosen == Nothing {
                chosen = ROWS[row].chooses;
            }
        }
    }
}

#[test]
fn the_first_use_of_each_revision_is_one_line_in_the_log() {
    play(
        r#"
        > {$2,"id":1,"method":"server/discover","params":{"_meta":{$ENVELOPE,"io.modelcontextprotocol/clientInfo":{"name":"la\u001bntern","version":"2"}}}}
        log first use of MCP 2026-07-28 by lantern 2
        < …
        > $HELLO
        log first use of MCP 2025-11-25 by pine 1
        < …
        "#,
    );
    let mut session = Session::default();
    let mut logs = Vec::new();
    for id in 0..3 {
        let line = expand(&format!(r#"{{$2,"id":{id},"method":"tools/list","params":{{$META}}}}"#));
        let mut out = Effects::default();
        session.on(Event::Line(Line::Text(line.as_bytes())), Instant::now(), &mut out);
        logs.extend(out.logs);
    }
    assert_eq!(logs, ["first use of MCP 2026-07-28"]);
}

#[test]
fn B_05_a_probe_and_a_handshake_read_at_once_are_both_answered() {
    play(
        r#"
        > {$2,"id":"probe","method":"server/discover","params":{$META}}
        < {$2,"id":"probe","result":{$COMPLETE,…
        > {$2,"id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"compass","version":"0.9.0"}}}
        < {$2,"id":"init","result":{"protocolVersion":"2025-11-25",…
        > {$2,"id":"init","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"other","version":"1"}}}
        < {$2,"id":"init","result":{"protocolVersion":"2025-11-25",…
        "#,
    );
}
