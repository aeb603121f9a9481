//! What holds for any client and any service: the properties that tests/fuzz drives.

#[cfg(test)]
#[path = "../../tests/fuzz/seeds.rs"]
mod seeds;

use crate::json::{self, NESTING};
use crate::line::{Decoder, Line};
use crate::session::{Effects, Event, Session};
use ghostlight_transport::limits::STDOUT_LINE_BYTES;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Small enough that a fuzzer meets it.
const LIMIT: usize = 24;

/// However the input is cut, the lines are the same, none is blank and none too long.
///
/// # Panics
/// When they are not.
pub fn lines(script: &[u8]) {
    let Some((width, bytes)) = script.split_first() else { return };
    let whole = read([bytes].into_iter());
    assert_eq!(read(bytes.chunks(usize::from(*width).max(1))), whole);
    for line in whole.iter().flatten() {
        assert!(line.len() <= LIMIT && !line.contains(&b'\n'));
        assert!(!line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')), "{line:?}");
    }
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
    assert!(whole.len() <= ends + 1, "more lines than ends");
}

fn read<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Vec<Option<Vec<u8>>> {
    let own = |line: Line<'_>| match line {
        Line::Text(text) => Some(text.to_vec()),
        Line::TooLong => None,
    };
    let (mut decoder, mut lines) = (Decoder::with_limit(LIMIT), Vec::new());
    for mut chunk in chunks {
        while let Some(line) = decoder.next(&mut chunk) {
            lines.push(own(line));
        }
    }
    lines.extend(decoder.finish().map(own));
    lines
}

/// Raw JSON that is looked into, mended, made compact or kept on one line means what it meant.
///
/// # Panics
/// When it does not.
pub fn json_text(script: &[u8]) {
    let Ok(text) = std::str::from_utf8(script) else { return };
    let mended = json::well_formed(text);
    if !json::is_json(text) || json::survey(text).levels > NESTING - 2 {
        return;
    }
    let meaning = match serde_json::from_str::<Value>(&mended) {
        Ok(meaning) => meaning,
        Err(fault) => {
            assert!(fault.to_string().contains("number out of range"), "{mended}: {fault}");
            return;
        }
    };
    let mut compact = Vec::new();
    json::push_compact(&mut compact, &mended);
    let mut line = compact.clone();
    json::escape_breaks(&mut line, 0);
    for form in [&compact, &line] {
        let form = std::str::from_utf8(form).expect("UTF-8");
        assert_eq!(serde_json::from_str::<Value>(form).expect("JSON"), meaning);
        assert!(!form.contains(['\n', '\r']), "more than one line");
    }
    let line = std::str::from_utf8(&line).expect("UTF-8");
    assert!(!line.contains(['\u{2028}', '\u{2029}', '\u{85}']), "a reader would see two lines");
    if let Some(object) = meaning.as_object() {
        let entries = json::entries(&mended).expect("an object");
        assert!(entries.len() >= object.len());
        let members = json::members(&mended, &["id", "method"]).expect("an object");
        for (name, value) in ["id", "method"].iter().zip(members.values) {
            let value =
                value.map(|value| serde_json::from_str::<Value>(value.get()).expect("JSON"));
            assert!(members.repeated.is_some() || value.as_ref() == object.get(*name));
        }
    }
    if let Some(number) = meaning.as_f64() {
        let text = json::number(number).expect("a finite number");
        assert_eq!(text.parse::<f64>().ok(), Some(number), "{text}");
    }
}

/// Whatever client and service say, each line out is one JSON object of a bearable length, no
/// request is answered twice, and at the end of input the conversation ends.
///
/// # Panics
/// When one of that fails.
pub fn session(script: &[u8]) {
    let mut talk = Talk::new();
    for line in script.split(|byte| *byte == b'\n') {
        let Some((kind, rest)) = line.split_first() else { continue };
        match kind {
            b's' => {
                if let Ok(message) = serde_json::from_slice(rest) {
                    talk.on(Event::Service(message));
                }
            }
            b'a' => talk.on(Event::Admitted),
            b'l' => talk.on(Event::Lost),
            b'u' => talk.on(Event::Unreachable("nobody is there")),
            b'c' => talk.on(Event::Congested(true)),
            b'r' => talk.on(Event::Congested(false)),
            b'+' => talk.pass(Duration::from_millis(400)),
            b'L' => talk.line(Line::TooLong),
            _ => talk.line(Line::Text(rest)),
        }
    }
    talk.end();
}

struct Talk {
    session: Session,
    now: Instant,
    /// Lines of the client; each is answered at most once.
    heard: usize,
    answered: usize,
    over: bool,
}

impl Talk {
    fn new() -> Self {
        let now = Instant::now();
        Self { session: Session::default(), now, heard: 0, answered: 0, over: false }
    }

    fn line(&mut self, line: Line<'_>) {
        self.heard += 1;
        self.on(Event::Line(line));
    }

    fn on(&mut self, event: Event<'_>) {
        let mut out = Effects::default();
        self.session.on(event, self.now, &mut out);
        let text = std::str::from_utf8(&out.lines).expect("UTF-8");
        assert!(text.is_empty() || text.ends_with('\n'), "half a line");
        for line in text.split_terminator('\n') {
            assert!(line.len() <= STDOUT_LINE_BYTES);
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let line = line.as_object().expect("an object");
            assert!(line.get("jsonrpc").is_some_and(|version| version == "2.0"));
            let answer = line.contains_key("result") || line.contains_key("error");
            assert!(answer != line.contains_key("method"), "neither an answer nor a notification");
            self.answered += usize::from(answer);
        }
        for command in &out.commands {
            serde_json::to_vec(command).expect("a command");
        }
        assert!(self.answered <= self.heard, "an answer nobody asked for");
        self.over |= out.exit;
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(due) = self.session.deadline().filter(|due| *due <= until) {
            assert!(due >= self.now || self.session.deadline() == Some(due));
            self.now = due.max(self.now);
            self.on(Event::Tick);
            let next = self.session.deadline();
            assert!(next.is_none_or(|next| next > self.now), "a time that has come stays due");
        }
        self.now = until;
    }

    fn end(&mut self) {
        self.on(Event::EndOfInput);
        self.pass(Duration::from_secs(600));
        assert!(self.over, "the end of input does not end it");
    }
}

#[cfg(test)]
mod tests {
    use super::{json_text, lines, seeds, session};

    #[test]
    fn properties_hold_for_the_seeds_and_near_them() {
        seeds::check("json_text", json_text);
        seeds::check("lines", lines);
        seeds::check("session", session);
    }
}
