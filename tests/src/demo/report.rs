//! The exchange for people on stdout, and for machines in `transcript.jsonl`.

use crate::client::Line;
use crate::reply::Reply;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// Lines of a result that are shown; the transcript holds them all.
const SHOWN: usize = 14;
const WIDTH: usize = 110;

#[derive(Debug)]
pub struct Report {
    started: Instant,
}

impl Default for Report {
    fn default() -> Self {
        Self { started: Instant::now() }
    }
}

impl Report {
    /// One line, with the time since the start. A closed stdout is the reader's choice.
    pub fn say(&self, text: &str) {
        let at = self.started.elapsed().as_secs_f32();
        let _ = writeln!(io::stdout(), "{at:6.2}s  {text}");
    }

    pub fn call(&self, tool: &str, arguments: &Value) {
        self.say(&format!("→ {tool} {arguments}"));
    }

    pub fn reply(&self, reply: &Reply) {
        let words = reply.words();
        for line in words.lines().take(SHOWN) {
            let cut: String = line.chars().take(WIDTH).collect();
            self.say(&format!("  ← {cut}"));
        }
        let more = words.lines().count().saturating_sub(SHOWN);
        if more > 0 {
            self.say(&format!("  ← … {more} more lines"));
        }
        for picture in &reply.images {
            self.say(&format!("  ← a picture, {}, {} bytes", picture.mime, picture.bytes.len()));
        }
    }
}

/// Writes every line that crossed the pipe, one JSON object each.
///
/// # Errors
/// Those of the file.
pub fn write_transcript(path: &Path, lines: &[Line]) -> io::Result<()> {
    let mut file = io::BufWriter::new(std::fs::File::create(path)?);
    for line in lines {
        let from = if line.from_client { "client" } else { "server" };
        let message = serde_json::from_str(&line.text).unwrap_or(Value::Null);
        let at = line.at.as_secs_f64() * 1000.0;
        writeln!(
            file,
            "{}",
            json!({"ms": (at * 10.0).round() / 10.0, "from": from, "message": message})
        )?;
    }
    file.flush()
}
