//! The audit as it lies on the disk: its two files and their head, for whoever reads them.

use super::chain::{Fault, Head, Part, Verifier};
use ghostlight_transport::limits::{AUDIT_BYTES, AUDIT_LINE, AUDIT_TAIL};
use ghostlight_transport::place::{Place, PlaceError};
use rustix::fs::{Access, OFlags, accessat, fstatvfs};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;

pub(super) const CURRENT: &str = "audit.jsonl";
pub(super) const ROTATED: &str = "audit.jsonl.1";
pub(super) const HEAD: &str = "audit.head";

/// What reading the whole trail came to.
#[derive(Debug)]
pub(crate) struct Verified {
    pub(crate) records: u64,
    pub(crate) faults: Vec<Fault>,
    /// Faults beyond those listed.
    pub(crate) more: u64,
}

pub(super) fn exists(place: &Place) -> bool {
    matches!(open(place, CURRENT), Ok(Some(_)))
}

/// Why records could not be written now, if that can be seen from outside.
pub(crate) fn writable(place: &Place) -> Result<(), String> {
    let path = place.path();
    for (name, access) in [("", Access::WRITE_OK | Access::EXEC_OK), (CURRENT, Access::WRITE_OK)] {
        let target = if name.is_empty() { "." } else { name };
        match accessat(place.dir(), target, access, rustix::fs::AtFlags::EACCESS) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(format!("{}: {error}", path.join(name).display())),
        }
    }
    match fstatvfs(place.dir()) {
        Ok(disk) if disk.f_bavail.saturating_mul(disk.f_frsize) < AUDIT_LINE as u64 => {
            Err(format!("{}: the disk is full", path.display()))
        }
        _ => Ok(()),
    }
}

/// Reads everything. Nothing when there was never a record. A service may write meanwhile.
pub(crate) fn verify(place: &Place) -> Result<Option<Verified>, PlaceError> {
    /// Each turn means that a service rotated the files between two looks.
    const TURNS: usize = 8;
    let mut turns = 0;
    loop {
        let before = known_head(place)?;
        let verifier = read_all(place, before)?;
        let found = !verifier.faults.is_empty();
        turns += 1;
        if found && turns < TURNS && known_head(place)? != before {
            continue;
        }
        if before.is_none() && verifier.records == 0 {
            return Ok(None);
        }
        let Verifier { records, faults, more, .. } = verifier;
        return Ok(Some(Verified { records, faults, more }));
    }
}

fn read_all(place: &Place, head: Option<Head>) -> Result<Verifier, PlaceError> {
    // The current one first: rotated in between, it is read twice rather than never.
    let current = open(place, CURRENT)?;
    let rotated = open(place, ROTATED)?;
    let has = |file: &Option<File>| {
        file.as_ref().and_then(|file| file.metadata().ok()).is_some_and(|meta| meta.len() > 0)
    };
    let mut verifier = Verifier::new(head, has(&rotated), has(&current));
    for (part, name, file) in [(Part::Rotated, ROTATED, rotated), (Part::Current, CURRENT, current)]
    {
        let Some(file) = file else { continue };
        let path = place.path().join(name);
        let read = each_line(file, |number, line| verifier.take(part, number, line));
        read.map_err(|error| PlaceError::Io { path, error })?;
    }
    verifier.finish();
    Ok(verifier)
}

/// Every line that has its end, without it. What follows the last one is on its way.
fn each_line(file: File, mut take: impl FnMut(u64, &[u8])) -> io::Result<()> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    let mut number = 0;
    while reader.read_until(b'\n', &mut line)? > 0 {
        if line.pop() == Some(b'\n') {
            number += 1;
            take(number, &line);
        }
        line.clear();
    }
    Ok(())
}

/// Effects that were announced and never closed.
pub(super) fn unresolved(place: &Place) -> Result<BTreeSet<String>, PlaceError> {
    #[derive(Deserialize)]
    struct Line {
        event: String,
        id: String,
    }
    let mut unresolved = BTreeSet::new();
    for (name, most) in [(ROTATED, AUDIT_TAIL), (CURRENT, AUDIT_BYTES)] {
        let Some(mut file) = open(place, name)? else { continue };
        let failed = |error| PlaceError::Io { path: place.path().join(name), error };
        let size = file.metadata().map_err(failed)?.len();
        file.seek(SeekFrom::Start(size.saturating_sub(most))).map_err(failed)?;
        each_line(file, |_, line| {
            let Ok(line) = serde_json::from_slice::<Line>(line) else { return };
            match line.event.as_str() {
                "intent" => {
                    unresolved.insert(line.id);
                }
                "terminal" | "unresolved" => {
                    unresolved.remove(&line.id);
                }
                _ => {}
            }
        })
        .map_err(failed)?;
    }
    Ok(unresolved)
}

pub(super) fn head(file: &File) -> io::Result<Option<Head>> {
    let mut text = [0; 256];
    let read = file.read_at(&mut text, 0)?;
    Ok(std::str::from_utf8(&text[..read]).ok().and_then(Head::parse))
}

/// The size without a line that has no end.
pub(super) fn whole_lines(file: &File) -> io::Result<u64> {
    let size = file.metadata()?.len();
    let (tail, start) = tail(file, size)?;
    let end = tail.iter().rposition(|byte| *byte == b'\n');
    Ok(end.map_or(start, |end| start + end as u64 + 1))
}

/// The last line of so many bytes that end with a line's end; without that.
pub(super) fn last_line(file: &File, size: u64) -> io::Result<Vec<u8>> {
    let (mut tail, _) = tail(file, size)?;
    tail.pop();
    let start = tail.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Ok(tail.split_off(start))
}

pub(super) fn last_line_of_rotated(place: &Place) -> Result<Option<Vec<u8>>, PlaceError> {
    let Some(file) = open(place, ROTATED)? else { return Ok(None) };
    let failed = |error| PlaceError::Io { path: place.path().join(ROTATED), error };
    match whole_lines(&file).map_err(failed)? {
        0 => Ok(None),
        size => last_line(&file, size).map(Some).map_err(failed),
    }
}

fn tail(file: &File, size: u64) -> io::Result<(Vec<u8>, u64)> {
    let start = size.saturating_sub(AUDIT_LINE as u64);
    let mut tail = vec![0; usize::try_from(size - start).unwrap_or(0)];
    file.read_exact_at(&mut tail, start)?;
    Ok((tail, start))
}

fn known_head(place: &Place) -> Result<Option<Head>, PlaceError> {
    let Some(file) = open(place, HEAD)? else { return Ok(None) };
    head(&file).map_err(|error| PlaceError::Io { path: place.path().join(HEAD), error })
}

fn open(place: &Place, name: &str) -> Result<Option<File>, PlaceError> {
    match place.open_file(name, OFlags::RDONLY) {
        Ok(file) => Ok(Some(File::from(file))),
        Err(PlaceError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
