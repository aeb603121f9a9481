//! The command line of `ghostlight`.

pub(crate) mod browser;
pub(crate) mod checks;
mod chromium;
mod profile;
