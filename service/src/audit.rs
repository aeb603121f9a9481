//! The audit trail: what was asked for, by whom, and how it ended. No arguments, no page text, no
//! addresses beyond the host, no handles.

mod chain;
mod record;
mod setting;
mod trail;
mod writer;

pub(crate) use chain::{Fault, Part};
pub(crate) use record::{Event, Record};
pub(crate) use setting::{proceeding, set_proceeding};
pub(crate) use trail::{Verified, verify, writable};

use async_channel::{Receiver, Sender, bounded};
use ghostlight_transport::limits::AUDIT_WAITING;
use ghostlight_transport::place::Place;
use record::stamp;
use std::cell::{Cell, RefCell};
use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::SystemTime;
use writer::{Health, Writer};

/// Records on their way to the file, in order; written by one thread that is not the executor's.
#[derive(Debug)]
pub(crate) struct Audit {
    place: Arc<Place>,
    queue: Sender<Entry>,
    /// Until the first record starts the writer.
    unread: RefCell<Option<Receiver<Entry>>>,
    writing: RefCell<Option<async_executor::Task<()>>>,
    health: Arc<Health>,
    life: String,
    next: Cell<u64>,
}

/// One line and whom to tell that it is in the file.
#[derive(Debug)]
struct Entry {
    line: String,
    written: Option<Sender<bool>>,
}

/// The intent is not on record: its effect must not happen, unless the person has said that it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NotWritten;

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an audit record could not be written")
    }
}

impl Audit {
    /// `entropy` tells the ids of one service life from those of another.
    pub(crate) fn new(place: Arc<Place>, entropy: [u8; 6]) -> Self {
        let (queue, unread) = bounded(AUDIT_WAITING);
        let mut life = String::new();
        for byte in entropy {
            let _ = write!(life, "{byte:02x}");
        }
        Self {
            place,
            queue,
            unread: RefCell::new(Some(unread)),
            writing: RefCell::default(),
            health: Arc::default(),
            life,
            next: Cell::new(1),
        }
    }

    /// The name that joins a call's records.
    pub(crate) fn id(&self) -> String {
        let number = self.next.replace(self.next.get() + 1);
        format!("{}-{number}", self.life)
    }

    /// Waits until the record is in the file.
    pub(crate) async fn write_first(&self, record: &Record<'_>) -> Result<(), NotWritten> {
        let (written, answer) = bounded(1);
        self.send(Entry { line: self.line(record), written: Some(written) }).await;
        if answer.recv().await == Ok(true) { Ok(()) } else { Err(NotWritten) }
    }

    /// Queues the record behind those before it.
    pub(crate) async fn write(&self, record: &Record<'_>) {
        self.send(Entry { line: self.line(record), written: None }).await;
    }

    /// Queues the record from where nothing may wait; one too many is counted as an error.
    pub(crate) fn note(&self, record: &Record<'_>) {
        self.start();
        if self.queue.try_send(Entry { line: self.line(record), written: None }).is_err() {
            self.health.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Records that could not be written.
    pub(crate) fn errors(&self) -> u64 {
        self.health.errors.load(Ordering::Relaxed)
    }

    /// What cannot be recorded may be done all the same: the person has said so.
    pub(crate) fn may_proceed(&self) -> bool {
        proceeding(&self.place)
    }

    /// The last record could not be written.
    pub(crate) fn is_failing(&self) -> bool {
        self.health.failing.load(Ordering::Relaxed)
    }

    /// At the start of a service: what an earlier life left open is marked, also when nobody calls.
    pub(crate) fn settle_earlier_life(&self) {
        if trail::exists(&self.place) {
            self.start();
        }
    }

    /// Everything queued is written; nothing more is taken.
    pub(crate) async fn close(&self) {
        self.queue.close();
        let writing = self.writing.borrow_mut().take();
        if let Some(writing) = writing {
            writing.await;
        }
    }

    fn line(&self, record: &Record<'_>) -> String {
        record.line(&stamp(SystemTime::now()))
    }

    async fn send(&self, entry: Entry) {
        self.start();
        if self.queue.send(entry).await.is_err() {
            self.health.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn start(&self) {
        if let Some(unread) = self.unread.borrow_mut().take() {
            let writer = Writer::new(Arc::clone(&self.place), Arc::clone(&self.health));
            *self.writing.borrow_mut() = Some(blocking::unblock(move || run(writer, &unread)));
        }
    }
}

fn run(mut writer: Writer, entries: &Receiver<Entry>) {
    writer.resolve();
    while let Ok(entry) = entries.recv_blocking() {
        let done = writer.write(&entry.line);
        if let Some(written) = entry.written {
            let _ = written.try_send(done);
        }
    }
}

#[cfg(test)]
mod tests;
