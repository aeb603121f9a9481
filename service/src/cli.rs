//! The command line of `ghostlight`.

pub(crate) mod browser;
mod chromium;
mod profile;
