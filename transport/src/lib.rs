//! Local endpoints, admission, framing and the two wire vocabularies.

pub use ghostlight_handle as handle;
