//! Who runs this program: the uid that files and peers are checked against, and its home.

use rustix::fs::Mode;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

/// What the kernel shows for every uid that a user namespace does not map, unless told otherwise.
const OVERFLOW_UID: u32 = 65_534;

/// Files made from now on are the owner's alone.
pub fn keep_files_private() {
    rustix::process::umask(Mode::from_raw_mode(0o077));
}

/// The uid is the one of all unmapped users: an owner check would prove nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverflowUser(pub u32);

impl fmt::Display for OverflowUser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "running as uid {}, which stands for every user that a user namespace does not map",
            self.0
        )
    }
}
impl std::error::Error for OverflowUser {}

/// # Errors
/// The kernel's overflow uid is refused.
pub fn own_uid() -> Result<u32, OverflowUser> {
    mapped(rustix::process::geteuid().as_raw(), overflow_uid())
}

/// What stands for the owner of a file or process that our user namespace does not map.
pub(crate) fn overflow_uid() -> u32 {
    std::fs::read_to_string("/proc/sys/kernel/overflowuid")
        .ok()
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or(OVERFLOW_UID)
}

fn mapped(uid: u32, overflow: u32) -> Result<u32, OverflowUser> {
    if uid == overflow || uid == u32::MAX { Err(OverflowUser(uid)) } else { Ok(uid) }
}

/// `HOME` when it is absolute and this user's own, else what the password database says.
#[must_use]
pub fn home(uid: u32) -> Option<PathBuf> {
    let ours = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|m| m.is_dir() && m.uid() == uid);
    std::env::var_os("HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute() && ours(path))
        .or_else(|| home_in_passwd(&std::fs::read("/etc/passwd").ok()?, uid))
}

fn home_in_passwd(database: &[u8], uid: u32) -> Option<PathBuf> {
    database.split(|&b| b == b'\n').find_map(|line| {
        let fields: Vec<&[u8]> = line.split(|&b| b == b':').collect();
        let [_, _, id, _, _, home, ..] = fields[..] else { return None };
        let same = std::str::from_utf8(id).ok()?.parse() == Ok(uid);
        let home = PathBuf::from(std::ffi::OsStr::from_bytes(home));
        (same && home.is_absolute()).then_some(home)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_overflow_user_is_refused() {
        assert_eq!(mapped(1000, 65_534), Ok(1000));
        assert_eq!(mapped(0, 65_534), Ok(0));
        assert_eq!(mapped(65_534, 65_534), Err(OverflowUser(65_534)));
        assert_eq!(mapped(99, 99), Err(OverflowUser(99)));
        assert_eq!(mapped(u32::MAX, 65_534), Err(OverflowUser(u32::MAX)));
    }

    #[test]
    fn the_home_is_found_by_uid_and_must_be_absolute() {
        let database = b"root:x:0:0:root:/root:/bin/sh\nshort:x\n#1000\n\
            odd:x:1001:1:::/bin/sh\nada:x:1000:1000:Ada,,,:/home/ada:/bin/bash";
        let check = |uid, home: Option<&str>| {
            assert_eq!(home_in_passwd(database, uid), home.map(PathBuf::from), "{uid}");
        };
        check(0, Some("/root"));
        check(1000, Some("/home/ada"));
        check(1001, None);
        check(7, None);
    }
}
