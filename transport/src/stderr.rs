//! Log lines on stderr that never hold up the program: a full or unread pipe costs lines, which are counted.

use crate::limits::{STDERR_FLUSH_STEP, STDERR_LINE_CHARS, STDERR_LINES};
use std::cell::RefCell;
use std::fmt;
use std::io::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

enum Entry {
    Line(String),
    Flush(SyncSender<()>),
}

/// Clones write to the same stderr. The thread behind it starts with the first line.
#[derive(Clone)]
pub struct Stderr(Rc<Inner>);

struct Inner {
    program: &'static str,
    writer: RefCell<Option<Writer>>,
}

struct Writer {
    entries: SyncSender<Entry>,
    dropped: Arc<AtomicU64>,
}

impl Stderr {
    #[must_use]
    pub fn new(program: &'static str) -> Self {
        Self(Rc::new(Inner { program, writer: RefCell::new(None) }))
    }

    /// One line, without control characters.
    pub fn log(&self, line: impl fmt::Display) {
        let text: String = line
            .to_string()
            .chars()
            .take(STDERR_LINE_CHARS)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let entry = Entry::Line(format!("{}: {text}\n", self.0.program));
        let mut writer = self.0.writer.borrow_mut();
        let writer = writer.get_or_insert_with(|| Writer::start(std::io::stderr()));
        if writer.entries.try_send(entry).is_err() {
            writer.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits a moment for what was logged; for the end of `main` only.
    pub fn flush(&self, within: Duration) {
        let writer = self.0.writer.borrow();
        let Some(writer) = &*writer else { return };
        let (done, wait) = sync_channel(1);
        let give_up = Instant::now() + within;
        let mut entry = Entry::Flush(done);
        while let Err(TrySendError::Full(back)) = writer.entries.try_send(entry) {
            if Instant::now() >= give_up {
                return;
            }
            entry = back;
            thread::sleep(STDERR_FLUSH_STEP);
        }
        let _ = wait.recv_timeout(give_up.saturating_duration_since(Instant::now()));
    }
}

impl Writer {
    fn start(out: impl Write + Send + 'static) -> Self {
        let (entries, waiting) = sync_channel(STDERR_LINES);
        let dropped = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&dropped);
        // Without the thread every line counts as dropped.
        let _ = thread::Builder::new()
            .name("stderr".into())
            .spawn(move || write_lines(&waiting, &count, out));
        Self { entries, dropped }
    }
}

fn write_lines(waiting: &Receiver<Entry>, dropped: &AtomicU64, mut out: impl Write) {
    while let Ok(entry) = waiting.recv() {
        let missing = dropped.swap(0, Ordering::Relaxed);
        if missing > 0 {
            let _ = writeln!(out, "({missing} lines dropped)");
        }
        match entry {
            Entry::Line(line) => {
                let _ = out.write_all(line.as_bytes());
            }
            Entry::Flush(done) => {
                let _ = done.try_send(());
            }
        }
    }
}

impl fmt::Debug for Stderr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stderr").field(&self.0.program).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn stderr_to(out: impl Write + Send + 'static) -> Stderr {
        let stderr = Stderr::new("p");
        *stderr.0.writer.borrow_mut() = Some(Writer::start(out));
        stderr
    }

    #[test]
    fn an_unread_stderr_costs_lines_and_no_time() {
        let (near, far) = UnixStream::pair().unwrap();
        let stderr = stderr_to(near);
        let line = "x".repeat(STDERR_LINE_CHARS);
        for _ in 0..10_000 {
            stderr.log(&line);
        }
        stderr.flush(Duration::from_millis(1));
        drop(far);
    }

    #[test]
    fn lines_lost_are_counted_once_there_is_room_again() {
        let (near, far) = UnixStream::pair().unwrap();
        let stderr = stderr_to(near);
        let line = "x".repeat(STDERR_LINE_CHARS);
        for _ in 0..10_000 {
            stderr.log(&line);
        }
        let reader = thread::spawn(move || std::io::read_to_string(far).unwrap());
        stderr.flush(Duration::from_secs(10));
        stderr.log("last");
        stderr.flush(Duration::from_secs(10));
        drop(stderr);
        let text = reader.join().unwrap();
        let written = text.lines().filter(|l| l.starts_with("p: x")).count();
        let lost: usize = text
            .lines()
            .filter_map(|l| {
                l.strip_prefix('(')?.strip_suffix(" lines dropped)")?.parse::<usize>().ok()
            })
            .sum();
        assert!(lost > 0 && written > STDERR_LINES);
        assert_eq!(written + lost, 10_000);
        assert!(text.ends_with("p: last\n"));
    }

    #[test]
    fn a_line_is_one_line_and_bounded() {
        let (near, far) = UnixStream::pair().unwrap();
        let stderr = stderr_to(near);
        stderr.log("a\nb\x1b[31mc\r");
        stderr.log("é".repeat(3 * STDERR_LINE_CHARS));
        stderr.flush(Duration::from_secs(10));
        drop(stderr);
        let text = std::io::read_to_string(far).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("p: a b [31mc "));
        assert_eq!(lines.next().map(|l| l.chars().count()), Some(3 + STDERR_LINE_CHARS));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn a_closed_stderr_is_no_error() {
        let (near, far) = UnixStream::pair().unwrap();
        drop(far);
        let stderr = stderr_to(near);
        stderr.log("nobody reads this");
        stderr.flush(Duration::from_secs(10));
    }
}
