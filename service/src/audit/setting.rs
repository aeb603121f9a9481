//! What happens while nothing can be recorded: effects are refused, unless the person has set otherwise.

use ghostlight_transport::place::{Place, PlaceError};
use rustix::fs::{AtFlags, OFlags, unlinkat};
use rustix::io::Errno;

/// Its being there says it. The person makes it before the disk is full.
const PROCEED: &str = "audit.proceed";

pub(crate) fn proceeding(place: &Place) -> bool {
    place.open_file(PROCEED, OFlags::RDONLY).is_ok()
}

pub(crate) fn set_proceeding(place: &Place, proceeds: bool) -> Result<(), PlaceError> {
    if proceeds {
        return place.open_file(PROCEED, OFlags::WRONLY | OFlags::CREATE).map(drop);
    }
    match unlinkat(place.dir(), PROCEED, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(PlaceError::Io { path: place.path().join(PROCEED), error: error.into() }),
    }
}
