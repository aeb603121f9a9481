//! Local endpoints, admission, framing and the two wire vocabularies.

pub mod admission;
pub mod backoff;
pub mod bridge;
pub mod browser_wire;
pub mod child;
pub mod endpoint;
pub mod frame;
pub mod hardening;
pub mod instance;
pub mod json;
pub mod key;
pub mod limits;
pub mod link;
pub mod lock;
pub mod native_host;
pub mod origin;
pub mod outbox;
pub mod place;
pub mod program;
pub mod start;
pub mod stderr;
pub mod stdio;
pub mod stop;
#[cfg(any(test, fuzzing))]
pub mod testing;
pub mod user;

pub use ghostlight_handle as handle;
