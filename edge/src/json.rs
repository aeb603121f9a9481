//! Raw JSON text: looked into without building a tree, and written so that a message stays one line.

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// Levels of one line. The service's parser allows 128, and wraps what it gets in fewer levels.
pub(crate) const NESTING: usize = 128;

/// What one pass over a text finds out; it may not be JSON yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Survey {
    pub(crate) levels: usize,
    /// An escape in the surrogate range occurs: it may be half of a pair.
    pub(crate) surrogates: bool,
}

pub(crate) fn survey(text: &str) -> Survey {
    let bytes = text.as_bytes();
    let (mut survey, mut level, mut at, mut quoted) = (Survey::default(), 0_usize, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => {
                survey.surrogates |= matches!(
                    bytes.get(at + 1..at + 4),
                    Some([b'u', b'd' | b'D', b'8'..=b'9' | b'a'..=b'f' | b'A'..=b'F'])
                );
                at += 1;
            }
            b'{' | b'[' if !quoted => {
                level += 1;
                survey.levels = survey.levels.max(level);
            }
            b'}' | b']' if !quoted => level = level.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    survey
}

/// Escapes of lone surrogates become U+FFFD: no Unicode text can hold them.
pub(crate) fn well_formed(text: &str) -> Cow<'_, str> {
    let mut fixed = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = text[at..].find('\\') {
        at += found;
        let unit = escaped_unit(text, at);
        let paired = matches!(unit, Some(0xD800..=0xDBFF))
            && matches!(escaped_unit(text, at + 6), Some(0xDC00..=0xDFFF));
        match unit {
            Some(0xD800..=0xDFFF) if !paired => {
                fixed.push_str(&text[copied..at]);
                fixed.push_str("\\ufffd");
                at += 6;
                copied = at;
            }
            Some(_) => at += if paired { 12 } else { 6 },
            // The escaped character may be wider than a byte when the text is not JSON.
            None => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    fixed.push_str(&text[copied..]);
    Cow::Owned(fixed)
}

fn escaped_unit(text: &str, at: usize) -> Option<u16> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(())?;
    u16::from_str_radix(digits, 16).ok()
}

/// The wanted members of one object, raw, in the order they were asked for.
#[derive(Debug)]
pub(crate) struct Members<'a, const N: usize> {
    pub(crate) values: [Option<&'a RawValue>; N],
    /// A wanted member that occurs twice: readers would differ about which one counts.
    pub(crate) repeated: Option<usize>,
}

pub(crate) fn members<'a, const N: usize>(
    object: &'a str,
    names: &[&str; N],
) -> Option<Members<'a, N>> {
    let mut input = serde_json::Deserializer::from_str(object);
    let members = input.deserialize_map(Wanted(names)).ok()?;
    input.end().ok()?;
    Some(members)
}

struct Wanted<'n, const N: usize>(&'n [&'n str; N]);

impl<'de, const N: usize> Visitor<'de> for Wanted<'_, N> {
    type Value = Members<'de, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut members = Members { values: [None; N], repeated: None };
        while let Some(which) = map.next_key_seed(Position(self.0))? {
            match which {
                Some(which) => {
                    if members.values[which].replace(map.next_value()?).is_some() {
                        members.repeated = Some(which);
                    }
                }
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(members)
    }
}

struct Position<'n>(&'n [&'n str]);

impl<'de> DeserializeSeed<'de> for Position<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Self::Value, D::Error> {
        input.deserialize_str(self)
    }
}

impl Visitor<'_> for Position<'_> {
    type Value = Option<usize>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a member's name")
    }
    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|wanted| *wanted == name))
    }
}

/// All members of an object in their order: names decoded, values raw.
pub(crate) fn entries(object: &str) -> Option<Vec<(String, &RawValue)>> {
    struct All;
    impl<'de> Visitor<'de> for All {
        type Value = Vec<(String, &'de RawValue)>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }
        fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }
    serde_json::Deserializer::from_str(object).deserialize_map(All).ok()
}

pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

pub(crate) fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

/// Digits with an optional sign: neither fraction nor exponent, any size.
pub(crate) fn is_integer(value: &RawValue) -> bool {
    let text = value.get();
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The text of a JSON string; `None` for any other value.
pub(crate) fn text(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        return serde_json::from_str(value.get()).ok().map(Cow::Owned);
    }
    Some(Cow::Borrowed(inner))
}

pub(crate) fn push_text(out: &mut Vec<u8>, text: &str) {
    // Writing a string to memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

/// A number as JSON, whole ones without a fraction; `None` when JSON cannot hold it.
pub(crate) fn number(value: f64) -> Option<String> {
    if !value.is_finite() {
        return None;
    }
    Some(if value.fract() == 0.0 && value.abs() < 9e15 {
        format!("{value:.0}")
    } else {
        format!("{value}")
    })
}

/// Valid JSON without the white space between its tokens.
pub(crate) fn push_compact(out: &mut Vec<u8>, raw: &str) {
    let bytes = raw.as_bytes();
    let (mut copied, mut at, mut quoted) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => quoted = !quoted,
            b'\\' if quoted => at += 1,
            b' ' | b'\t' | b'\n' | b'\r' if !quoted => {
                out.extend_from_slice(&bytes[copied..at]);
                copied = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    out.extend_from_slice(&bytes[copied..]);
}

/// Escapes, from `start` on, what some readers take for the end of a line.
pub(crate) fn escape_breaks(out: &mut Vec<u8>, start: usize) {
    let Some((first, ..)) = next_break(&out[start..]) else { return };
    let tail = out.split_off(start + first);
    let mut rest = tail.as_slice();
    while let Some((at, width, escape)) = next_break(rest) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(escape.as_bytes());
        rest = &rest[at + width..];
    }
    out.extend_from_slice(rest);
}

/// Where the next one stands, its width, and what is written for it.
fn next_break(text: &[u8]) -> Option<(usize, usize, &'static str)> {
    let mut at = 0;
    loop {
        at += next_lead(&text[at..])?;
        match &text[at..] {
            [0xE2, 0x80, 0xA8, ..] => return Some((at, 3, "\\u2028")),
            [0xE2, 0x80, 0xA9, ..] => return Some((at, 3, "\\u2029")),
            [0xC2, 0x85, ..] => return Some((at, 2, "\\u0085")),
            _ => at += 1,
        }
    }
}

/// The first byte that may begin one. Whole steps are looked at without a branch: answers are long
/// and mostly plain.
fn next_lead(text: &[u8]) -> Option<usize> {
    let leads = |byte: &u8| matches!(byte, 0xC2 | 0xE2);
    let mut passed = 0;
    for step in text.chunks(64) {
        if step.iter().fold(false, |found, byte| found | leads(byte)) {
            return step.iter().position(leads).map(|at| passed + at);
        }
        passed += step.len();
    }
    None
}

#[cfg(test)]
mod tests;
