//! Bytes of stdin in, lines out: bounded, and the same lines however the bytes were split.

use ghostlight_transport::limits::STDIN_LINE_BYTES;

/// A carried line's buffer larger than this is given back once the line has been read.
const KEPT_BYTES: usize = 64 * 1024;
const MARK: &[u8] = b"\xEF\xBB\xBF";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// Without its LF and one CR before it; never blank.
    Text(&'a [u8]),
    /// Its bytes were dropped up to the LF.
    TooLong,
}

/// Splits on LF alone. One byte order mark at the start of the stream and blank lines are dropped.
#[derive(Debug)]
pub struct Decoder {
    limit: usize,
    carry: Vec<u8>,
    /// The carry was handed out and makes room at the next call.
    spent: bool,
    overlong: bool,
    started: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::with_limit(STDIN_LINE_BYTES)
    }
}

impl Decoder {
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        Self { limit, carry: Vec::new(), spent: false, overlong: false, started: false }
    }

    /// The next line that ends in `input`, which is shortened by what was read; `None` when all of
    /// it was.
    pub fn next<'a, 'b: 'a>(&'a mut self, input: &mut &'b [u8]) -> Option<Line<'a>> {
        self.make_room();
        while let Some(end) = input.iter().position(|byte| *byte == b'\n') {
            let (head, rest) = input.split_at(end);
            *input = &rest[1..];
            if self.overlong || self.carry.len() + head.len() > self.limit {
                self.overlong = false;
                self.started = true;
                self.carry = Vec::new();
                return Some(Line::TooLong);
            }
            if !self.carry.is_empty() {
                self.carry.extend_from_slice(head);
                if self.blank_carry() {
                    continue;
                }
                return Some(Line::Text(self.spend()));
            }
            let line = trim(head, &mut self.started);
            if !line.is_empty() {
                return Some(Line::Text(line));
            }
        }
        self.keep(input);
        *input = &[];
        None
    }

    /// What stood after the last LF when the stream ended.
    pub fn finish(&mut self) -> Option<Line<'_>> {
        self.make_room();
        if std::mem::take(&mut self.overlong) {
            return Some(Line::TooLong);
        }
        if self.carry.is_empty() || self.blank_carry() {
            return None;
        }
        Some(Line::Text(self.spend()))
    }

    fn make_room(&mut self) {
        if std::mem::take(&mut self.spent) {
            self.carry.clear();
            if self.carry.capacity() > KEPT_BYTES {
                self.carry = Vec::new();
            }
        }
    }

    fn keep(&mut self, tail: &[u8]) {
        if self.overlong || self.carry.len() + tail.len() > self.limit {
            self.overlong = true;
            self.carry = Vec::new();
        } else {
            self.carry.extend_from_slice(tail);
        }
    }

    fn blank_carry(&mut self) -> bool {
        let mut started = self.started;
        let blank = trim(&self.carry, &mut started).is_empty();
        if blank {
            self.started = started;
            self.carry.clear();
        }
        blank
    }

    fn spend(&mut self) -> &[u8] {
        self.spent = true;
        trim(&self.carry, &mut self.started)
    }
}

fn trim<'a>(line: &'a [u8], started: &mut bool) -> &'a [u8] {
    let first = !std::mem::replace(started, true);
    let line = if first { line.strip_prefix(MARK).unwrap_or(line) } else { line };
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) { &[] } else { line }
}

#[cfg(test)]
mod tests;
