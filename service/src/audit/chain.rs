//! The chain through the audit's records: each names the one before it, and a small head beside the
//! files names the ends, so a record that is gone or changed shows, also the first and the last one.

use serde::Deserialize;
use std::fmt::Write as _;

/// Of a record: SHA-256 over its line without the line's end. All zeros stand before the first record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Link([u8; 32]);

impl Link {
    pub(crate) fn of(line: &[u8]) -> Self {
        Self(hmac_sha256::Hash::hash(line))
    }

    pub(crate) fn hex(self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (digits, mut bytes) = (text.as_bytes(), [0; 32]);
        if digits.len() != 64 || digits.iter().any(|digit| !b"0123456789abcdef".contains(digit)) {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(text.get(index * 2..index * 2 + 2)?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// What a record says of the one before it; nothing when it is no record.
pub(crate) fn prev(line: &[u8]) -> Option<Link> {
    #[derive(Deserialize)]
    struct Line<'a> {
        prev: &'a str,
    }
    Link::parse(serde_json::from_slice::<Line<'_>>(line).ok()?.prev)
}

/// The record with the link to the one before it in front. `record` is an object with members.
pub(crate) fn seal(record: &str, prev: Link) -> String {
    format!("{{\"prev\":\"{}\",{}", prev.hex(), record.strip_prefix('{').unwrap_or(record))
}

/// What stands before the first record of each file, and the last record. Kept beside the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    pub(crate) rotated: Link,
    pub(crate) current: Link,
    pub(crate) last: Link,
}

impl Head {
    pub(crate) fn text(self) -> String {
        format!("{} {} {}\n", self.rotated.hex(), self.current.hex(), self.last.hex())
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut links = text.strip_suffix('\n')?.split(' ').map(Link::parse);
        let (rotated, current, last) = (links.next()??, links.next()??, links.next()??);
        links.next().is_none().then_some(Self { rotated, current, last })
    }

    /// The current file became the rotated one.
    pub(crate) fn rotate(&mut self) {
        self.rotated = self.current;
        self.current = self.last;
    }
}

/// Which of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Rotated,
    Current,
}

/// What is wrong, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The record does not follow the one before it.
    Broken { part: Part, line: u64 },
    /// A running service found this on its start, and went on from there.
    Found { part: Part, line: u64 },
    /// The last record that was written is not there any more, or not as it was.
    End,
    /// There are records, and nothing says which ones there have to be.
    NoHead,
}

/// Follows the chain from the oldest record to the newest.
#[derive(Debug)]
pub(crate) struct Verifier {
    head: Option<Head>,
    /// What the next record has to name, once known.
    expected: Option<Link>,
    ended: bool,
    pub(crate) records: u64,
    pub(crate) faults: Vec<Fault>,
    /// Beyond the ones kept.
    pub(crate) more: u64,
}

/// Faults kept for people to read.
const FAULTS: usize = 10;

impl Verifier {
    /// `has_current` and `has_rotated`: whether the file has a record.
    pub(crate) fn new(head: Option<Head>, has_rotated: bool, has_current: bool) -> Self {
        let expected = head.map(|head| match (has_rotated, has_current) {
            // Between two steps of a rotation the new file has nothing yet.
            (true, false) if head.current != head.last => head.current,
            _ => head.rotated,
        });
        let ended = head.is_some_and(|head| head.last == Link::default());
        let mut verifier = Self { head, expected, ended, records: 0, faults: Vec::new(), more: 0 };
        if head.is_none() && (has_rotated || has_current) {
            verifier.fault(Fault::NoHead);
        }
        verifier
    }

    /// `line` without its end.
    pub(crate) fn take(&mut self, part: Part, number: u64, line: &[u8]) {
        self.records += 1;
        let says = prev(line);
        if says.is_none() || self.expected.is_some_and(|expected| says != Some(expected)) {
            self.fault(Fault::Broken { part, line: number });
        }
        if is_break(line) {
            self.fault(Fault::Found { part, line: number });
        }
        let link = Link::of(line);
        self.ended |= self.head.is_some_and(|head| head.last == link);
        self.expected = Some(link);
    }

    pub(crate) fn finish(&mut self) {
        if self.head.is_some() && !self.ended {
            self.fault(Fault::End);
        }
    }

    fn fault(&mut self, fault: Fault) {
        if self.faults.len() < FAULTS {
            self.faults.push(fault);
        } else {
            self.more += 1;
        }
    }
}

/// The event of a record that a service writes when the end it finds is not the one it left.
pub(crate) const BROKEN: &str = "broken";

fn is_break(line: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Line<'a> {
        event: &'a str,
    }
    serde_json::from_slice::<Line<'_>>(line).is_ok_and(|line| line.event == BROKEN)
}

#[cfg(test)]
mod tests;
