//! Who is the service: the one that holds this lock, for as long as it lives.

use crate::place::{Place, PlaceError};
use rustix::fs::{AtFlags, FlockOperation, OFlags, flock, fstat, ftruncate, statat};
use rustix::io::{Errno, write};
use std::os::fd::OwnedFd;

const LOCK: &str = "lock";
/// Each turn means that somebody replaced the file between opening and locking it.
const TURNS: usize = 8;

#[derive(Debug)]
pub struct ServiceLock {
    file: OwnedFd,
}

impl ServiceLock {
    /// `None` when another process holds it.
    ///
    /// # Errors
    /// The lock file is not ours, or the system refuses.
    pub fn try_acquire(place: &Place) -> Result<Option<Self>, PlaceError> {
        let Some(lock) = try_lock(place, LOCK)? else { return Ok(None) };
        // For people who look: nothing reads it.
        let pid = format!("{}\n", std::process::id());
        let _ = ftruncate(&lock.file, 0).and_then(|()| write(&lock.file, pid.as_bytes()));
        Ok(Some(lock))
    }

    /// Whether the state directory and the lock file in it are still the ones we hold. Once they are
    /// not, another service may run, and nothing there may be touched.
    #[must_use]
    pub fn still_ours(&self, place: &Place) -> bool {
        place.still_there() && same(place, &self.file, LOCK)
    }

    /// Whether some process holds the lock. Takes it for a moment otherwise.
    ///
    /// # Errors
    /// As [`ServiceLock::try_acquire`].
    pub fn is_held(place: &Place) -> Result<bool, PlaceError> {
        let path = place.path().join(LOCK);
        let file = match place.open_file(LOCK, OFlags::RDONLY) {
            Ok(file) => file,
            Err(PlaceError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        match flock(&file, FlockOperation::NonBlockingLockShared) {
            Ok(()) => Ok(false),
            Err(Errno::WOULDBLOCK) => Ok(true),
            Err(error) => Err(PlaceError::Io { path, error: error.into() }),
        }
    }
}

/// Takes the named lock file of a place without waiting.
pub(crate) fn try_lock(place: &Place, name: &str) -> Result<Option<ServiceLock>, PlaceError> {
    for _ in 0..TURNS {
        let file = place.open_file(name, OFlags::RDWR | OFlags::CREATE)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) if same(place, &file, name) => return Ok(Some(ServiceLock { file })),
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => {
                return Err(PlaceError::Io { path: place.path().join(name), error: error.into() });
            }
        }
    }
    Ok(None)
}

fn same(place: &Place, file: &OwnedFd, name: &str) -> bool {
    let (Ok(held), Ok(found)) = (fstat(file), statat(place.dir(), name, AtFlags::SYMLINK_NOFOLLOW))
    else {
        return false;
    };
    (held.st_dev, held.st_ino) == (found.st_dev, found.st_ino)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holder_at_a_time_until_it_lets_go() {
        let home = tempfile::tempdir().unwrap();
        let place = Place::for_test(&home.path().join("state"), "default");
        assert!(!ServiceLock::is_held(&place).unwrap());
        let first = ServiceLock::try_acquire(&place).unwrap().unwrap();
        assert!(first.still_ours(&place) && ServiceLock::is_held(&place).unwrap());
        assert!(ServiceLock::try_acquire(&place).unwrap().is_none());
        drop(first);
        assert!(!ServiceLock::is_held(&place).unwrap());
        assert!(ServiceLock::try_acquire(&place).unwrap().is_some());
    }

    #[test]
    fn a_lock_whose_file_or_directory_was_replaced_is_no_longer_ours() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state");
        let place = Place::for_test(&path, "default");
        let lock = ServiceLock::try_acquire(&place).unwrap().unwrap();
        std::fs::remove_file(path.join(LOCK)).unwrap();
        assert!(!lock.still_ours(&place));
        let second = ServiceLock::try_acquire(&place).unwrap().unwrap();
        assert!(second.still_ours(&place) && !lock.still_ours(&place));
        std::fs::rename(&path, home.path().join("gone")).unwrap();
        assert!(!second.still_ours(&place));
    }
}
