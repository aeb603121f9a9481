//! The command line of `ghostlight`.

mod chromium;
mod profile;
