//! The file behind the audit: append only, one write per record, rotated once.

use ghostlight_transport::limits::{AUDIT_BYTES, AUDIT_TAIL};
use ghostlight_transport::place::{Place, PlaceError};
use rustix::fs::{OFlags, renameat};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) const FILE: &str = "audit.jsonl";
const ROTATED: &str = "audit.jsonl.1";

#[derive(Debug)]
pub(super) struct Writer {
    place: Arc<Place>,
    errors: Arc<AtomicU64>,
    /// Open, with its size so far.
    file: Option<(File, u64)>,
}

impl Writer {
    pub(super) fn new(place: Arc<Place>, errors: Arc<AtomicU64>) -> Self {
        Self { place, errors, file: None }
    }

    /// Appends one line in one write. A torn or failed write is counted, and the file opened anew.
    pub(super) fn write(&mut self, line: &str) -> bool {
        let done = self.append(line.as_bytes()).is_ok();
        if !done {
            self.file = None;
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
        done
    }

    /// Says of each effect that an earlier life announced and never closed that nobody knows its end.
    pub(super) fn resolve(&mut self, ts: &str) {
        let Ok(open) = self.unresolved() else { return };
        for id in open {
            let line = serde_json::json!({ "ts": ts, "event": "unresolved", "id": id });
            self.write(&format!("{line}\n"));
        }
    }

    fn append(&mut self, line: &[u8]) -> Result<(), PlaceError> {
        let failed = |error| PlaceError::Io { path: self.place.path().join(FILE), error };
        if self.file.as_ref().is_some_and(|(_, size)| *size >= AUDIT_BYTES) {
            self.file = None;
            let directory = self.place.dir();
            renameat(directory, FILE, directory, ROTATED).map_err(|error| failed(error.into()))?;
        }
        if self.file.is_none() {
            let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::CREATE;
            let file = File::from(self.place.open_file(FILE, flags)?);
            let size = file.metadata().map_err(failed)?.len();
            self.file = Some((file, size));
        }
        let Some((file, size)) = &mut self.file else { return Ok(()) };
        let wrote = file.write(line).map_err(failed)?;
        *size += wrote as u64;
        if wrote == line.len() { Ok(()) } else { Err(failed(std::io::ErrorKind::WriteZero.into())) }
    }

    fn unresolved(&self) -> Result<BTreeSet<String>, PlaceError> {
        #[derive(Deserialize)]
        struct Line {
            event: String,
            id: String,
        }
        let failed = |error| PlaceError::Io { path: self.place.path().join(FILE), error };
        let mut file = File::from(self.place.open_file(FILE, OFlags::RDONLY)?);
        let size = file.metadata().map_err(failed)?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(AUDIT_TAIL))).map_err(failed)?;
        let mut tail = Vec::new();
        file.take(AUDIT_TAIL).read_to_end(&mut tail).map_err(failed)?;
        let mut open = BTreeSet::new();
        for line in tail.split(|byte| *byte == b'\n') {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { continue };
            match line.event.as_str() {
                "intent" => {
                    open.insert(line.id);
                }
                "terminal" | "unresolved" => {
                    open.remove(&line.id);
                }
                _ => {}
            }
        }
        Ok(open)
    }
}
