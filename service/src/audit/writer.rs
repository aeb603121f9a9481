//! The files behind the audit: append only, one write per record, chained, rotated once.

use super::chain::{BROKEN, Head, Link, prev, seal};
use super::record::stamp;
use super::trail::{self, CURRENT, HEAD, ROTATED};
use ghostlight_transport::limits::AUDIT_BYTES;
use ghostlight_transport::place::{Place, PlaceError};
use rustix::fs::{FlockOperation, OFlags, flock, renameat};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

/// How writing goes, for whoever asks the service.
#[derive(Debug, Default)]
pub(super) struct Health {
    pub(super) errors: AtomicU64,
    /// The last write failed.
    pub(super) failing: AtomicBool,
}

#[derive(Debug)]
pub(super) struct Writer {
    place: Arc<Place>,
    health: Arc<Health>,
    open: Option<Open>,
    /// Where the current file is full; lower in tests.
    full: u64,
}

#[derive(Debug)]
struct Open {
    file: File,
    size: u64,
    /// Locked as long as it is open: two services never write one trail.
    head_file: File,
    head: Head,
}

impl Writer {
    pub(super) fn new(place: Arc<Place>, health: Arc<Health>) -> Self {
        Self { place, health, open: None, full: AUDIT_BYTES }
    }

    #[cfg(test)]
    pub(super) fn full_at(mut self, bytes: u64) -> Self {
        self.full = bytes;
        self
    }

    /// Appends one record in one write. Gives whether the whole record is in the file; what failed is
    /// counted, and the file opened anew.
    pub(super) fn write(&mut self, record: &str) -> bool {
        let appended = self.append(record);
        if appended.is_err() {
            self.open = None;
        }
        if !matches!(appended, Ok(Appended { head: true })) {
            self.health.errors.fetch_add(1, Ordering::Relaxed);
        }
        self.health.failing.store(appended.is_err(), Ordering::Relaxed);
        appended.is_ok()
    }

    /// Says of each effect that an earlier life announced and never closed that nobody knows its end.
    pub(super) fn resolve(&mut self) {
        let Ok(open) = trail::unresolved(&self.place) else { return };
        for id in open {
            self.write(&event("unresolved", &id));
        }
    }

    fn append(&mut self, record: &str) -> Result<Appended, PlaceError> {
        let full = self.full;
        self.open = Some(match self.open.take() {
            Some(open) if open.size >= full => self.rotate(open)?,
            Some(open) => open,
            None => self.open(self.lock()?)?,
        });
        let failed = |error| PlaceError::Io { path: self.place.path().join(CURRENT), error };
        let Some(open) = &mut self.open else { return Ok(Appended { head: false }) };
        open.append(record).map_err(failed)
    }

    /// The head says it first with the next record: until then the empty file tells what happened. The lock
    /// is kept all the while.
    fn rotate(&self, open: Open) -> Result<Open, PlaceError> {
        let directory = self.place.dir();
        let path = self.place.path().join(CURRENT);
        renameat(directory, CURRENT, directory, ROTATED)
            .map_err(|error| PlaceError::Io { path, error: error.into() })?;
        self.open(open.head_file)
    }

    fn lock(&self) -> Result<File, PlaceError> {
        let head_file = File::from(self.place.open_file(HEAD, OFlags::RDWR | OFlags::CREATE)?);
        flock(&head_file, FlockOperation::NonBlockingLockExclusive).map_err(|error| {
            PlaceError::Io { path: self.place.path().join(HEAD), error: error.into() }
        })?;
        Ok(head_file)
    }

    /// `head_file` is locked.
    fn open(&self, head_file: File) -> Result<Open, PlaceError> {
        let failed = |name: &str| {
            let path = self.place.path().join(name);
            move |error: io::Error| PlaceError::Io { path, error }
        };
        let known = trail::head(&head_file).map_err(failed(HEAD))?;
        let flags = OFlags::RDWR | OFlags::APPEND | OFlags::CREATE;
        let file = File::from(self.place.open_file(CURRENT, flags)?);
        let size = trail::whole_lines(&file).map_err(failed(CURRENT))?;
        // What a power cut left of a record was never confirmed to anybody.
        file.set_len(size).map_err(failed(CURRENT))?;
        let last = match size {
            0 => trail::last_line_of_rotated(&self.place)?,
            _ => Some(trail::last_line(&file, size).map_err(failed(CURRENT))?),
        };
        let (head, intact) = found(known, last.as_deref(), size);
        let mut open = Open { file, size, head_file, head };
        if !intact {
            let last = open.head.last.hex();
            open.append(&event(BROKEN, &last)).map_err(failed(CURRENT))?;
        } else if known.is_none() {
            // A head that has its place on the disk can be kept when the disk is full.
            open.save().map_err(failed(HEAD))?;
        }
        Ok(open)
    }
}

/// The record is in the file; whether the head says so too.
struct Appended {
    head: bool,
}

impl Open {
    fn append(&mut self, record: &str) -> io::Result<Appended> {
        let mut line = seal(record, self.head.last);
        let link = Link::of(line.as_bytes());
        line.push('\n');
        let wrote = self.file.write(line.as_bytes());
        if !matches!(wrote, Ok(length) if length == line.len()) {
            // Half a record is none.
            self.file.set_len(self.size)?;
            return Err(wrote.err().unwrap_or_else(|| io::ErrorKind::WriteZero.into()));
        }
        self.size += line.len() as u64;
        self.head.last = link;
        Ok(Appended { head: self.save().is_ok() })
    }

    fn save(&self) -> io::Result<()> {
        self.head_file.write_all_at(self.head.text().as_bytes(), 0)
    }
}

/// From which head to go on, and whether the end of the trail is the one that the head knows. One record
/// more than it knows is what a kill between the two writes leaves.
fn found(known: Option<Head>, last: Option<&[u8]>, size: u64) -> (Head, bool) {
    let end = last.map(Link::of).unwrap_or_default();
    let Some(mut head) = known else {
        return (Head { last: end, ..Head::default() }, last.is_none());
    };
    let intact = head.last == end || last.and_then(prev) == Some(head.last);
    head.last = end;
    if size == 0 && head.current != end {
        head.rotate();
    }
    (head, intact)
}

/// A record of the writer's own.
fn event(event: &str, id: &str) -> String {
    let ts = stamp(SystemTime::now());
    serde_json::json!({ "ts": ts, "event": event, "id": id }).to_string()
}
