//! Transcripts over the machine. `> ` is a line of the client and `< ` one to it; `s> ` a message of
//! the service and `s< ` a command to it; `! ` any other event; `+5s` lets time pass; `log ` is a line
//! on stderr and is checked only where it stands; `exit` ends. After each input exactly the outputs
//! below it happen. `…` in an expected line stands for anything.

mod calls;
mod cancel;
mod chronicle;
mod ending;
mod eras;
mod listing;
mod machine;
mod malformed;
mod mcp_2025_11_25;
mod mcp_2026_07_28;
mod outcomes;
mod wire;
mod workspaces;

use super::*;
use crate::render::SERVER_INFO;
use std::time::Duration;

pub(super) const WS: &str = "ws_07070707070707070707070707070707";
pub(super) const WS2: &str = "ws_08080808080808080808080808080808";

/// A client of 2025 whose service is there and has declared its tools.
const OPENED: &str = "> $HELLO\n< …\n! admitted\ns< …\ns> catalog 1 1";

struct Stage {
    session: Session,
    now: Instant,
    at: usize,
    got: Vec<String>,
    logs: Vec<String>,
}

/// Plays a transcript on a fresh session and returns the session for a look inside.
fn play(script: &str) -> Session {
    let mut stage = Stage {
        session: Session::default(),
        now: Instant::now(),
        at: 0,
        got: Vec::new(),
        logs: Vec::new(),
    };
    for (index, line) in script.replace("$OPENED", OPENED).lines().enumerate() {
        let line = expand(line.trim());
        stage.at = index + 1;
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(expected) = line.strip_prefix("log ") {
            stage.expect_log(expected);
        } else if line.starts_with("< ") || line.starts_with("s< ") || line == "exit" {
            stage.expect(&line);
        } else {
            stage.nothing_more();
            stage.input(&line);
        }
    }
    stage.nothing_more();
    stage.session
}

impl Stage {
    fn input(&mut self, line: &str) {
        self.logs.clear();
        if let Some(text) = line.strip_prefix("> ") {
            self.on(Event::Line(Line::Text(text.as_bytes())));
        } else if let Some(message) = line.strip_prefix("s> ") {
            self.on(Event::Service(service_message(message)));
        } else if let Some(time) = line.strip_prefix('+') {
            self.pass(duration(time));
        } else {
            self.on(match line.strip_prefix("! ").unwrap_or(line) {
                "admitted" => Event::Admitted,
                "lost" => Event::Lost,
                "unreachable" => Event::Unreachable("The place is unsafe."),
                "congested" => Event::Congested(true),
                "room" => Event::Congested(false),
                "end of input" => Event::EndOfInput,
                "stop" => Event::Stop,
                "too long" => Event::Line(Line::TooLong),
                other => panic!("line {}: {other:?} is no event", self.at),
            });
        }
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(due) = self.session.deadline().filter(|due| *due <= until) {
            self.now = due;
            self.on(Event::Tick);
        }
        self.now = until;
    }

    fn on(&mut self, event: Event<'_>) {
        let mut out = Effects::default();
        self.session.on(event, self.now, &mut out);
        let lines = String::from_utf8(out.lines).unwrap();
        for line in lines.split_terminator('\n') {
            assert!(crate::json::is_json(line), "line {}: {line}", self.at);
            assert!(!line.contains(['\u{2028}', '\u{2029}', '\u{85}', '\r']), "{line}");
            self.got.push(format!("< {line}"));
        }
        for command in out.commands {
            self.got.push(format!("s< {}", serde_json::to_string(&command).unwrap()));
        }
        if out.exit {
            self.got.push("exit".to_owned());
        }
        self.logs.extend(out.logs);
    }

    fn expect(&mut self, expected: &str) {
        assert!(!self.got.is_empty(), "line {}: nothing came, expected {expected}", self.at);
        let got = self.got.remove(0);
        assert!(fits(expected, &got), "line {}:\n  got      {got}\n  expected {expected}", self.at);
    }

    fn expect_log(&mut self, expected: &str) {
        let found = self.logs.iter().any(|log| fits(expected, log));
        assert!(found, "line {}: no log {expected} in {:?}", self.at, self.logs);
    }

    fn nothing_more(&mut self) {
        assert!(self.got.is_empty(), "before line {}: not expected: {:#?}", self.at, self.got);
    }
}

fn fits(pattern: &str, text: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('…') else { return pattern == text };
    let Some(rest) = text.strip_prefix(head) else { return false };
    let cuts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    cuts.into_iter().any(|at| fits(tail, &rest[at..]))
}

/// Short words for what each transcript repeats.
fn expand(line: &str) -> String {
    const ENVELOPE: &str = r#""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}"#;
    const HELLO: &str = r#"{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"pine","version":"1"}}}"#;
    line.replace("$HELLO", HELLO)
        .replace("$META", &format!("\"_meta\":{{{ENVELOPE}}}"))
        .replace("$ENVELOPE", ENVELOPE)
        .replace("$2", r#""jsonrpc":"2.0""#)
        .replace("$COMPLETE", r#""resultType":"complete""#)
        .replace(
            "$SERVER",
            &format!("\"_meta\":{{\"io.modelcontextprotocol/serverInfo\":{SERVER_INFO}}}"),
        )
        .replace("$INFO", SERVER_INFO)
        .replace("$WS2", WS2)
        .replace("$WS", WS)
}

fn duration(text: &str) -> Duration {
    match text.strip_suffix("ms") {
        Some(milliseconds) => Duration::from_millis(milliseconds.parse().unwrap()),
        None => Duration::from_secs(text.strip_suffix('s').unwrap().parse().unwrap()),
    }
}

/// `catalog S G`, `started S W`, `completed W TEXT`, `opened S HANDLE`, `rejected S KIND`,
/// `progress W DONE`, or a message as JSON.
fn service_message(message: &str) -> FromService {
    let words: Vec<_> = message.splitn(3, ' ').collect();
    let json = match words.as_slice() {
        ["catalog", sequence, generation] => catalog(sequence, generation),
        ["started", sequence, work] => {
            format!(r#"{{"started":{{"sequence":{sequence},"work":{work}}}}}"#)
        }
        ["completed", work, text] => format!(
            r#"{{"completed":{{"work":{work},"outcome":{{"disposition":"success","content":[{{"text":"{text}"}}]}}}}}}"#
        ),
        ["opened", sequence, workspace] => {
            format!(r#"{{"workspace_opened":{{"sequence":{sequence},"workspace":"{workspace}"}}}}"#)
        }
        ["rejected", sequence, kind] => format!(
            r#"{{"rejected":{{"sequence":{sequence},"rejection":{{"kind":"{kind}","message":"The reason."}}}}}}"#
        ),
        ["progress", work, done] => {
            format!(r#"{{"progress":{{"work":{work},"done":{done},"total":3,"message":"step"}}}}"#)
        }
        _ => message.to_owned(),
    };
    serde_json::from_str(&json).unwrap_or_else(|fault| panic!("{json}: {fault}"))
}

fn catalog(sequence: &str, generation: &str) -> String {
    let tool = |name: &str, extra: &str| {
        let reads = name == "more";
        let hints = format!(
            r#""hints":{{"read_only":{reads},"destructive":false,"idempotent":true,"open_world":false}}"#
        );
        format!(
            r#"{{"name":"{name}","title":"T","description":"D","input":{{ "type": "object","properties":{{}}}},{hints},{extra}}}"#
        )
    };
    // The second generation has one tool more, the only one that only reads.
    let mut tools = vec![
        tool(
            "make",
            r#""workspace":"creates","output":{"type":"object","properties":{"tabId":{"type":"number"}},"required":["tabId"]}"#,
        ),
        tool("use", r#""workspace":"uses""#),
        tool("ask", r#""workspace":"independent""#),
    ];
    if generation != "1" {
        tools.push(tool("more", r#""workspace":"independent""#));
    }
    let tools = tools.join(",");
    format!(
        r#"{{"catalog":{{"sequence":{sequence},"projection":{{"generation":{generation},"tools":[{tools}]}}}}}}"#
    )
}
