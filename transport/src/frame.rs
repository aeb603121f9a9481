//! Bytes to frames and back: four bytes of length in native order, as native messaging has them, then the body.
//!
//! ```text
//!  read ─▶ space()/advance(n) ─▶ chunk [··len·body·len·bo]  ─▶ next(): whole frames
//!                                body  [dy·········       ]     a frame longer than the chunk
//! ```

use crate::limits::{FRAME_CHUNK, FRAME_STEP};
use std::fmt;

/// Bytes in front of each body.
pub const HEADER: usize = 4;

/// The stream cannot be read any further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FrameError {
    Empty,
    TooLong { announced: u64, limit: usize },
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a frame of length 0"),
            Self::TooLong { announced, limit } => {
                write!(f, "a frame of {announced} bytes, over the limit of {limit}")
            }
        }
    }
}
impl std::error::Error for FrameError {}

/// The length word of a body; `None` when no length word could hold it.
#[must_use]
pub fn header(body: &[u8]) -> Option<[u8; HEADER]> {
    match u32::try_from(body.len()) {
        Ok(0) | Err(_) => None,
        Ok(length) => Some(length.to_ne_bytes()),
    }
}

/// Joins frames from whatever slices the stream brings. A length word alone costs no memory: the
/// body grows as its bytes arrive.
#[derive(Debug)]
pub struct Decoder {
    limit: usize,
    chunk: Vec<u8>,
    start: usize,
    end: usize,
    long: Option<Long>,
}

/// A frame that did not fit the chunk.
#[derive(Debug)]
struct Long {
    length: usize,
    body: Vec<u8>,
    filled: usize,
}

impl Decoder {
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { limit, chunk: Vec::new(), start: 0, end: 0, long: None }
    }

    /// For frames not yet pulled: an admitted peer may send longer ones than a stranger.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Where the next read goes; never empty. Pull all frames before asking.
    pub fn space(&mut self) -> &mut [u8] {
        if let Some(long) = &mut self.long {
            let step = (long.length - long.filled).min(FRAME_STEP);
            long.body.resize(long.filled + step, 0);
            return &mut long.body[long.filled..];
        }
        self.chunk.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        self.chunk.resize(FRAME_CHUNK.max(self.end + HEADER), 0);
        &mut self.chunk[self.end..]
    }

    /// `read` bytes of [`Decoder::space`] are now filled.
    pub fn advance(&mut self, read: usize) {
        match &mut self.long {
            Some(long) => long.filled += read,
            None => self.end += read,
        }
    }

    /// The next whole frame, if its bytes are here.
    ///
    /// # Errors
    /// A length word that no honest peer sends; the stream has lost its step and must be closed.
    pub fn next_frame(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        if let Some(long) = self.long.take_if(|long| long.filled == long.length) {
            return Ok(Some(long.body));
        }
        if self.long.is_some() {
            return Ok(None);
        }
        let here = &self.chunk[self.start..self.end];
        let Some((word, rest)) = here.split_first_chunk::<HEADER>() else { return Ok(None) };
        let announced = u32::from_ne_bytes(*word);
        let length = match usize::try_from(announced) {
            Ok(0) => return Err(FrameError::Empty),
            Ok(length) if length <= self.limit => length,
            _ => {
                return Err(FrameError::TooLong { announced: announced.into(), limit: self.limit });
            }
        };
        if let Some(body) = rest.get(..length) {
            let body = body.to_vec();
            self.start += HEADER + length;
            return Ok(Some(body));
        }
        if HEADER + length > FRAME_CHUNK {
            let body = rest.to_vec();
            self.long = Some(Long { length, filled: body.len(), body });
            (self.start, self.end) = (0, 0);
        }
        Ok(None)
    }

    /// Whether the stream may end here without having cut a frame.
    #[must_use]
    pub fn between_frames(&self) -> bool {
        self.long.is_none() && self.start == self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wire(bodies: &[Vec<u8>]) -> Vec<u8> {
        bodies.iter().flat_map(|body| [&header(body).unwrap()[..], body].concat()).collect()
    }

    /// Feeds `bytes` in slices of at most `step` and returns what came out and how it ended.
    fn feed(bytes: &[u8], step: usize, limit: usize) -> (Vec<Vec<u8>>, Result<bool, FrameError>) {
        let (mut decoder, mut frames, mut at) = (Decoder::new(limit), Vec::new(), 0);
        loop {
            match decoder.next_frame() {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) if at == bytes.len() => return (frames, Ok(decoder.between_frames())),
                Ok(None) => {
                    let space = decoder.space();
                    let take = space.len().min(step).min(bytes.len() - at);
                    space[..take].copy_from_slice(&bytes[at..at + take]);
                    decoder.advance(take);
                    at += take;
                }
                Err(error) => return (frames, Err(error)),
            }
        }
    }

    #[test]
    fn any_split_gives_the_same_frames() {
        let lengths = [
            1,
            2,
            3,
            300,
            FRAME_CHUNK - 5,
            FRAME_CHUNK - 4,
            FRAME_CHUNK - 3,
            FRAME_CHUNK,
            200_000,
            1,
            7,
        ];
        let bodies: Vec<Vec<u8>> =
            lengths.iter().map(|&n| (0..n).map(|i| (i * 7 % 251) as u8).collect()).collect();
        let bytes = wire(&bodies);
        for step in [1, 2, 3, 4, 5, 7, 64, 4096, FRAME_CHUNK, FRAME_STEP, usize::MAX] {
            assert_eq!(feed(&bytes, step, 200_000), (bodies.clone(), Ok(true)), "step {step}");
        }
    }

    #[test]
    fn an_end_inside_a_frame_is_told_from_an_end_between_frames() {
        let bytes = wire(&[vec![1; 10], vec![2; 100_000]]);
        for (cut, clean) in
            [(0, true), (1, false), (4, false), (13, false), (14, true), (18, false)]
        {
            assert_eq!(feed(&bytes[..cut], 3, 100_000).1, Ok(clean), "cut at {cut}");
        }
        assert_eq!(feed(&bytes[..bytes.len() - 1], 9, 100_000).1, Ok(false));
    }

    #[test]
    fn lengths_at_and_over_the_limit() {
        let within = wire(&[vec![9; 4096]]);
        assert_eq!(feed(&within, 11, 4096).0.len(), 1);
        for announced in [4097_u32, 1 << 31, u32::MAX] {
            let error = FrameError::TooLong { announced: announced.into(), limit: 4096 };
            assert_eq!(feed(&announced.to_ne_bytes(), 1, 4096), (vec![], Err(error)));
        }
        assert_eq!(feed(&[0; 4], 1, 4096), (vec![], Err(FrameError::Empty)));
    }

    #[test]
    fn frames_before_a_bad_length_are_still_delivered() {
        let bytes = [wire(&[vec![5; 3]]), vec![0; 4]].concat();
        assert_eq!(feed(&bytes, usize::MAX, 4096), (vec![vec![5; 3]], Err(FrameError::Empty)));
    }

    #[test]
    fn a_length_word_alone_costs_no_memory() {
        let mut decoder = Decoder::new(32 << 20);
        decoder.space()[..4].copy_from_slice(&(32_u32 << 20).to_ne_bytes());
        decoder.advance(4);
        assert_eq!(decoder.next_frame(), Ok(None));
        assert_eq!(decoder.space().len(), FRAME_STEP);
        let held = decoder.chunk.capacity() + decoder.long.as_ref().unwrap().body.capacity();
        assert!(held <= FRAME_CHUNK + 2 * FRAME_STEP, "{held}");
    }

    #[test]
    fn a_long_frame_leaves_no_memory_behind() {
        let mut decoder = Decoder::new(1 << 20);
        let bytes = wire(&[vec![3; 1 << 20]]);
        let mut rest = &bytes[..];
        let frame = loop {
            if let Some(frame) = decoder.next_frame().unwrap() {
                break frame;
            }
            let space = decoder.space();
            let take = space.len().min(rest.len());
            space[..take].copy_from_slice(&rest[..take]);
            decoder.advance(take);
            rest = &rest[take..];
        };
        assert_eq!(frame.len(), 1 << 20);
        assert!(decoder.chunk.capacity() <= FRAME_CHUNK + HEADER);
    }

    #[test]
    fn what_no_length_word_can_say_has_no_header() {
        assert_eq!(header(b""), None);
        assert_eq!(header(b"{}"), Some(2_u32.to_ne_bytes()));
    }
}
