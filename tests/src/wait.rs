//! Waiting for a condition, with a deadline and a sentence that says what did not come.

use std::time::{Duration, Instant};

/// Two cores shared by a whole suite: long enough never to be the reason of a failure.
pub const LONG: Duration = Duration::from_secs(30);
/// Between two looks. A look is cheap; what is waited for takes milliseconds.
const LOOK: Duration = Duration::from_millis(4);

/// The first value that `look` gives.
///
/// # Panics
/// When there was none within the time.
pub fn until<T>(what: &str, within: Duration, look: impl FnMut() -> Option<T>) -> T {
    match within_time(within, look) {
        Some(value) => value,
        None => panic!("not within {within:?}: {what}"),
    }
}

/// Like [`until`], for what may rightly not come.
pub fn within_time<T>(within: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + within;
    loop {
        if let Some(value) = look() {
            return Some(value);
        }
        if Instant::now() >= deadline {
            return None;
        }
        std::thread::sleep(LOOK);
    }
}
