//! Messages that are too long for one native frame: cut for the browser, joined from it.

use ghostlight_transport::browser_wire::{Part, ToExtension};
use ghostlight_transport::limits::{
    NATIVE_TO_BROWSER_BYTES, PART_BYTES, PART_DEADLINE, PARTED_MESSAGE_BYTES, PARTED_MESSAGES,
};
use std::collections::HashMap;
use std::time::Instant;

/// The message as the frames that may travel, or nothing when it is too long even in parts.
pub(crate) fn cut(message: Vec<u8>, xfer: u64) -> Option<Vec<Vec<u8>>> {
    if message.len() <= NATIVE_TO_BROWSER_BYTES {
        return Some(vec![message]);
    }
    if message.len() > PARTED_MESSAGE_BYTES {
        return None;
    }
    let text = String::from_utf8(message).ok()?;
    let mut pieces = Vec::new();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let mut border = rest.len().min(PART_BYTES);
        while !rest.is_char_boundary(border) {
            border -= 1;
        }
        let (piece, after) = rest.split_at(border);
        pieces.push(piece);
        rest = after;
    }
    let n = u32::try_from(pieces.len()).ok()?;
    let bytes = text.len() as u64;
    let frames = pieces.iter().zip(0..).map(|(piece, i)| {
        serde_json::to_vec(&ToExtension::Part(Part { xfer, i, n, bytes, text: (*piece).into() }))
    });
    frames.collect::<Result<_, _>>().ok()
}

/// The messages one connection has begun in parts.
#[derive(Debug, Default)]
pub(crate) struct Joiner {
    open: HashMap<u64, Transfer>,
}

#[derive(Debug)]
struct Transfer {
    pieces: Vec<Option<String>>,
    missing: usize,
    bytes: usize,
    joined: usize,
    until: Instant,
}

/// The part contradicts what was announced, or there are too many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BadPart;

impl Joiner {
    /// The whole message with its last part.
    pub(crate) fn take(&mut self, part: Part<'_>, now: Instant) -> Result<Option<String>, BadPart> {
        self.open.retain(|_, transfer| transfer.until > now);
        let xfer = part.xfer;
        let taken = self.add(part, now);
        if !matches!(taken, Ok(None)) {
            self.open.remove(&xfer);
        }
        taken
    }

    fn add(&mut self, part: Part<'_>, now: Instant) -> Result<Option<String>, BadPart> {
        if !self.open.contains_key(&part.xfer) {
            let bytes = usize::try_from(part.bytes).map_err(|_| BadPart)?;
            let most = PARTED_MESSAGE_BYTES / PART_BYTES * 4;
            let n = part.n as usize;
            if self.open.len() >= PARTED_MESSAGES || bytes > PARTED_MESSAGE_BYTES || n > most {
                return Err(BadPart);
            }
            let pieces = vec![None; n];
            let until = now + PART_DEADLINE;
            self.open.insert(part.xfer, Transfer { pieces, missing: n, bytes, joined: 0, until });
        }
        let transfer = self.open.get_mut(&part.xfer).ok_or(BadPart)?;
        transfer.joined += part.text.len();
        let same = transfer.pieces.len() == part.n as usize && transfer.bytes as u64 == part.bytes;
        let place = transfer.pieces.get_mut(part.i as usize).filter(|place| place.is_none());
        let Some(place) = place.filter(|_| same && transfer.joined <= transfer.bytes) else {
            return Err(BadPart);
        };
        *place = Some(part.text.into_owned());
        transfer.missing -= 1;
        if transfer.missing > 0 {
            return Ok(None);
        }
        if transfer.joined != transfer.bytes {
            return Err(BadPart);
        }
        Ok(Some(transfer.pieces.iter_mut().filter_map(Option::take).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ghostlight_transport::browser_wire::FromExtension;

    fn part(frame: &[u8]) -> Part<'_> {
        match FromExtension::parse(frame).unwrap() {
            FromExtension::Part(part) => part,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_long_message_is_cut_into_frames_chromium_takes_and_joined_in_any_order() {
        let message = format!("\"{}\"", "aé\\\"\u{1f600}".repeat(150_000));
        let frames = cut(message.clone().into_bytes(), 9).unwrap();
        assert!(frames.len() > 2);
        assert!(frames.iter().all(|frame| frame.len() <= NATIVE_TO_BROWSER_BYTES));
        let (mut joiner, now) = (Joiner::default(), Instant::now());
        let mut whole = None;
        for frame in frames.iter().rev() {
            assert_eq!(whole, None);
            whole = joiner.take(part(frame), now).unwrap();
        }
        assert_eq!(whole, Some(message));
        assert!(joiner.open.is_empty());
    }

    #[test]
    fn a_short_message_travels_whole_and_an_endless_one_not_at_all() {
        assert_eq!(cut(b"{}".to_vec(), 1), Some(vec![b"{}".to_vec()]));
        assert_eq!(cut(vec![b' '; PARTED_MESSAGE_BYTES + 1], 1), None);
    }

    #[test]
    fn parts_that_contradict_each_other_or_come_late_end_their_transfer() {
        let piece =
            |xfer, i, n, bytes, text: &'static str| Part { xfer, i, n, bytes, text: text.into() };
        let now = Instant::now();
        for second in [
            piece(1, 0, 2, 4, "ab"),
            piece(1, 2, 2, 4, "cd"),
            piece(1, 1, 3, 4, "cd"),
            piece(1, 1, 2, 5, "cd"),
            piece(1, 1, 2, 4, "cde"),
            piece(1, 1, 2, 4, "c"),
        ] {
            let mut joiner = Joiner::default();
            assert_eq!(joiner.take(piece(1, 0, 2, 4, "ab"), now), Ok(None));
            assert_eq!(joiner.take(second, now), Err(BadPart));
            assert!(joiner.open.is_empty());
        }
        let mut joiner = Joiner::default();
        for xfer in 1..=PARTED_MESSAGES as u64 {
            assert_eq!(joiner.take(piece(xfer, 0, 2, 4, "ab"), now), Ok(None));
        }
        assert_eq!(joiner.take(piece(99, 0, 2, 4, "ab"), now), Err(BadPart));
        assert_eq!(joiner.take(piece(99, 0, 2, 4, "ab"), now + PART_DEADLINE), Ok(None));
        let huge = PARTED_MESSAGE_BYTES as u64 + 1;
        assert_eq!(Joiner::default().take(piece(1, 0, 2, huge, "ab"), now), Err(BadPart));
        assert_eq!(Joiner::default().take(piece(1, 0, u32::MAX, 4, "ab"), now), Err(BadPart));
    }
}
