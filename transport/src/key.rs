//! The secret that one service life shares with the programs of its user, through a file only they can read.

use crate::lock::ServiceLock;
use crate::place::{Place, PlaceError};
use rustix::fs::{AtFlags, OFlags, renameat, unlinkat};
use rustix::io::Errno;
use std::fmt;
use std::fs::File;
use std::io::{Error, ErrorKind, Read as _, Write as _};

const KEY: &str = "key";
const FRESH: &str = "key.new";
const BYTES: usize = 32;

#[derive(Clone)]
pub struct Key([u8; BYTES]);

impl Key {
    #[must_use]
    pub fn from_entropy(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// A new key for this service life. It is in place before anybody can connect.
    ///
    /// # Errors
    /// No entropy, or the file could not be written.
    pub fn mint(place: &Place, _holder: &ServiceLock) -> Result<Self, PlaceError> {
        let io = |error| PlaceError::Io { path: place.path().join(FRESH), error };
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| io(Error::other(error)))?;
        match unlinkat(place.dir(), FRESH, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(io(error.into())),
        }
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        File::from(place.open_file(FRESH, flags)?).write_all(&bytes).map_err(io)?;
        renameat(place.dir(), FRESH, place.dir(), KEY).map_err(|error| io(error.into()))?;
        Ok(Self(bytes))
    }

    /// # Errors
    /// There is none, or it is not a file of ours with 32 bytes that only we can read.
    pub fn read(place: &Place) -> Result<Self, PlaceError> {
        let mut file = File::from(place.open_file(KEY, OFlags::RDONLY)?);
        let io = |error| PlaceError::Io { path: place.path().join(KEY), error };
        let mut bytes = [0; BYTES];
        file.read_exact(&mut bytes).map_err(io)?;
        match file.read(&mut [0]).map_err(io)? {
            0 => Ok(Self(bytes)),
            _ => Err(io(Error::new(ErrorKind::InvalidData, "longer than a key"))),
        }
    }

    /// HMAC-SHA256 over the parts, each behind its length, so that no two lists read alike.
    #[must_use]
    pub fn seal(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = hmac_sha256::HMAC::new(self.0);
        for part in parts {
            mac.update((part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize()
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt as _;

    #[test]
    fn each_service_life_has_its_own_key_that_only_the_owner_reads() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::for_test(&home.path().join("state"), "default");
        let lock = ServiceLock::try_acquire(&place).unwrap().unwrap();
        assert!(Key::read(&place).is_err());
        let first = Key::mint(&place, &lock).unwrap();
        std::fs::write(place.path().join(FRESH), "left by a crash").unwrap();
        let second = Key::mint(&place, &lock).unwrap();
        assert_ne!(first.0, second.0);
        assert_eq!(Key::read(&place).unwrap().0, second.0);
        let file = std::fs::metadata(place.path().join(KEY)).unwrap();
        assert_eq!(file.mode() & 0o7777, 0o600);
    }

    #[test]
    fn a_file_of_another_length_is_no_key() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::for_test(&home.path().join("state"), "default");
        let lock = ServiceLock::try_acquire(&place).unwrap().unwrap();
        Key::mint(&place, &lock).unwrap();
        for length in [0, 31, 33] {
            std::fs::write(place.path().join(KEY), vec![1; length]).unwrap();
            assert!(Key::read(&place).is_err(), "{length}");
        }
    }

    #[test]
    fn the_seal_tells_the_borders_of_its_parts_and_is_never_printed() {
        let key = Key::from_entropy([1; 32]);
        assert_ne!(key.seal(&[b"ab", b"c"]), key.seal(&[b"a", b"bc"]));
        assert_ne!(key.seal(&[b"abc"]), Key::from_entropy([2; 32]).seal(&[b"abc"]));
        assert_eq!(format!("{key:?}"), "Key(…)");
    }
}
