//! The fake browser's end of the connector's pipes: frames, parts, and frames that are wrong on purpose.

use crate::native;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::Write;
use std::process::ChildStdin;

/// What one part carries; the wire allows a little more.
const PART: usize = 256 * 1024;
/// From here on messages go in parts.
const WHOLE: usize = 900 * 1024;

#[derive(Debug)]
pub(super) struct Wire {
    pipe: Option<ChildStdin>,
    coming: HashMap<u64, Vec<Option<String>>>,
    last_transfer: u64,
}

impl Wire {
    pub(super) fn new(pipe: ChildStdin) -> Self {
        Self { pipe: Some(pipe), coming: HashMap::new(), last_transfer: 0 }
    }

    pub(super) fn close(&mut self) {
        self.pipe = None;
    }

    /// One frame of any bytes. A connector that is gone is the test's own doing.
    pub(super) fn frame(&mut self, frame: &[u8]) {
        if let Some(pipe) = &mut self.pipe {
            let _ = native::write(pipe, frame);
        }
    }

    /// A length word that promises more than comes.
    pub(super) fn half_frame(&mut self) {
        if let Some(pipe) = &mut self.pipe {
            let _ = pipe.write_all(&[200, 0, 0, 0, b'{', b'"']);
        }
        self.close();
    }

    pub(super) fn message(&mut self, message: &Value) {
        let text = message.to_string();
        if text.len() <= WHOLE {
            self.frame(text.as_bytes());
            return;
        }
        self.last_transfer += 1;
        let slices = slices(&text);
        for (i, slice) in slices.iter().enumerate() {
            let part = json!({
                "t": "part", "xfer": self.last_transfer, "i": i, "n": slices.len(),
                "bytes": text.len(), "text": slice,
            });
            self.frame(part.to_string().as_bytes());
        }
    }

    /// The message that a frame is or completes.
    pub(super) fn join(&mut self, frame: &[u8]) -> Option<Value> {
        let message: Value = serde_json::from_slice(frame).unwrap_or_default();
        if message["t"] != "part" {
            return Some(message);
        }
        let transfer = message["xfer"].as_u64()?;
        let (i, n) = (message["i"].as_u64()? as usize, message["n"].as_u64()? as usize);
        let parts = self.coming.entry(transfer).or_insert_with(|| vec![None; n]);
        *parts.get_mut(i)? = message["text"].as_str().map(str::to_owned);
        let text: String = parts.iter().cloned().collect::<Option<Vec<_>>>()?.concat();
        self.coming.remove(&transfer);
        serde_json::from_str(&text).ok()
    }
}

/// Cuts on character borders.
fn slices(mut text: &str) -> Vec<&str> {
    let mut slices = Vec::new();
    while !text.is_empty() {
        let mut at = PART.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let (head, tail) = text.split_at(at);
        slices.push(head);
        text = tail;
    }
    slices
}
