//! What holds for any extension and any arguments: the properties that tests/fuzz drives.

#[cfg(test)]
#[path = "../../tests/fuzz/seeds.rs"]
mod seeds;

use crate::arguments::{Schema, parse};
use crate::browser::parts::{Joiner, cut};
use crate::browser::route::{Effect, Effects, Routes};
use crate::render::{boundary, quoted};
use crate::tools::computer::chord;
use crate::tools::picture::jpeg_size;
use crate::tools::{TOOLS, address, refs};
use crate::wire::Request;
use crate::workspace::WorkspaceNumber;
use ghostlight_transport::browser_wire::FromExtension;
use ghostlight_transport::limits::{BROWSER_REQUESTS, BROWSERS, NATIVE_TO_BROWSER_BYTES};
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// A message in parts is whole or refused; what we cut ourselves comes together again.
///
/// # Panics
/// When it does not.
pub fn parts(script: &[u8]) {
    let (mut joiner, now) = (Joiner::default(), Instant::now());
    for (at, line) in script.split(|byte| *byte == b'\n').enumerate() {
        if let Ok(FromExtension::Part(part)) = FromExtension::parse(line) {
            let announced = part.bytes;
            let later = now + Duration::from_secs(at as u64);
            if let Ok(Some(whole)) = joiner.take(part, later) {
                assert_eq!(whole.len() as u64, announced);
            }
        }
    }
    if let Ok(text) = std::str::from_utf8(script)
        && let Some(text) = text.strip_prefix("cut ")
        && text.len() == 4
    {
        comes_together_again(&mut joiner, text, now + Duration::from_secs(9999));
    }
}

fn comes_together_again(joiner: &mut Joiner, text: &str, now: Instant) {
    let long = serde_json::to_string(&text.repeat(NATIVE_TO_BROWSER_BYTES / 4)).expect("JSON");
    let frames = cut(long.clone().into_bytes(), 1).expect("not too long");
    let mut whole = None;
    for frame in frames.iter().rev() {
        assert!(frame.len() <= NATIVE_TO_BROWSER_BYTES, "Chromium closes on it");
        let Ok(FromExtension::Part(part)) = FromExtension::parse(frame) else {
            panic!("not a part")
        };
        whole = joiner.take(part, now).expect("our own part");
    }
    assert_eq!(whole.as_ref(), Some(&long));
}

/// Whatever a browser says, each call is settled at most once, what it is sent is JSON, and neither
/// browsers nor requests outgrow their bounds.
///
/// # Panics
/// When one of that fails.
pub fn browser_route(script: &[u8]) {
    let mut world = World::new();
    for line in script.split(|byte| *byte == b'\n') {
        let [kind, connection, rest @ ..] = line else { continue };
        let connection = u64::from(*connection % 4);
        match kind {
            b'a' => world.ask(connection),
            b'd' => world.routes.detached(connection),
            b'e' => {
                let effects = world.routes.end_workspace(WorkspaceNumber(connection));
                world.carry_out(effects);
            }
            _ => world.frame(connection, rest),
        }
    }
}

struct World {
    routes: Routes<u64>,
    asked: u64,
    settled: BTreeSet<u64>,
}

impl World {
    fn new() -> Self {
        let mut minted = 0;
        let mint = Box::new(move || {
            minted += 1;
            Some(format!("key{minted}"))
        });
        let routes = Routes::new("life".to_owned(), mint);
        Self { routes, asked: 0, settled: BTreeSet::new() }
    }

    fn ask(&mut self, number: u64) {
        let workspace = WorkspaceNumber(number);
        let Ok(Some(slot)) = self.routes.bind(workspace, None) else { return };
        let params = RawValue::from_string("{}".to_owned()).expect("JSON");
        let method = ["tab.open", "tab.list", "page.read", "cdp"][number as usize];
        let within = Duration::from_secs(1);
        let request =
            Request { method, params, tab: Some(7), effect: number.is_multiple_of(2), within };
        if let Ok((_, effect)) = self.routes.ask((slot, workspace), &request, self.asked) {
            self.asked += 1;
            self.carry_out(vec![effect]);
        }
    }

    fn frame(&mut self, connection: u64, frame: &[u8]) {
        let effects = match FromExtension::parse(frame) {
            Ok(FromExtension::Hello(hello)) => {
                self.routes.hello(connection, *hello).unwrap_or_default()
            }
            Ok(FromExtension::Res(result)) => self.routes.result(connection, result),
            Ok(FromExtension::Ev(events)) => self.routes.events(connection, events),
            Ok(_) => Vec::new(),
            Err(_) => self.routes.malformed(connection, frame),
        };
        self.carry_out(effects);
        let browsers = self.routes.status(|_| Default::default());
        assert!(browsers.len() <= BROWSERS);
        assert!(browsers.iter().all(|browser| browser.requests <= BROWSER_REQUESTS));
    }

    fn carry_out(&mut self, effects: Effects<u64>) {
        for effect in effects {
            match effect {
                Effect::Send { frame, .. } => {
                    let _: Box<RawValue> = serde_json::from_slice(&frame).expect("JSON");
                }
                Effect::Settle { ticket, .. } => {
                    assert!(ticket < self.asked && self.settled.insert(ticket), "settled twice");
                }
                _ => {}
            }
        }
    }
}

/// Arguments are an object that fits the tool's schema, or refused in words of bearable length.
///
/// # Panics
/// When neither.
pub fn arguments(script: &[u8]) {
    let Some((tool, raw)) = script.split_first() else { return };
    let Ok(raw) = std::str::from_utf8(raw) else { return };
    let raw = raw.trim();
    // The bridge carries JSON texts only.
    if TOOLS.is_empty() || serde_json::from_str::<&RawValue>(raw).is_err() {
        return;
    }
    let tool = &TOOLS[usize::from(*tool) % TOOLS.len()];
    let schema = Schema::compile(tool.input).expect("the catalog's own schema");
    match parse(&schema, raw) {
        Ok(arguments) => {
            let again = serde_json::to_string(&arguments).expect("JSON");
            assert!(parse(&schema, &again).is_ok(), "what passed no longer does");
        }
        Err(violation) => assert!(violation.to_string().len() < 4096, "an endless refusal"),
    }
}

/// What a page or a model writes stays within its line and its boundary, and is read or refused.
///
/// # Panics
/// When it does not.
pub fn page_words(script: &[u8]) {
    let text = String::from_utf8_lossy(script);
    let whole = boundary(&text, &text, [7; 8]);
    let is_mark = |line: &&str| line.contains("0707070707070707") && line.starts_with("---");
    assert!(whole.lines().next().is_some_and(|line| is_mark(&line)));
    let inner = whole.lines().skip(1).take(whole.lines().count() - 2);
    let dashes = |line: &&str| line.trim_start().starts_with("--- end of page content");
    assert_eq!(inner.filter(dashes).count(), 0, "a forged mark");
    let line = quoted(&text, 200);
    assert!(line.len() >= 2 && !line.contains(char::is_control), "more than one line");
    assert_eq!(
        line.replace("\\\\", "").replace("\\\"", "").matches('"').count(),
        2,
        "an open quote"
    );
    if let Ok(address) = address::absolute(&text) {
        let known = ["http:", "https:", "about:blank"].iter().any(|head| address.starts_with(head));
        assert!(known && !address.contains(char::is_control), "no address");
    }
    if let Ok(chord) = chord(&text) {
        assert!(chord.events().len() >= 2, "a key that is not let go");
    }
    let _ = (jpeg_size(&text), refs::parse(&text));
}

#[cfg(test)]
mod tests {
    use super::{arguments, browser_route, page_words, parts, seeds};

    #[test]
    fn properties_hold_for_the_seeds_and_near_them() {
        seeds::check("parts", parts);
        seeds::check("browser_route", browser_route);
        seeds::check("arguments", arguments);
        seeds::check("page_words", page_words);
    }
}
