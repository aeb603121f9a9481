//! The rig: everything that tests and demo need to run the three programs against a browser.
//!
//! It knows the programs by their paths, pipes and command lines alone, as a client would. It panics
//! when what it waits for does not come, since its callers are tests.

pub mod base64;
pub mod bench;
pub mod binaries;
pub mod chromium;
pub mod client;
pub mod cut;
pub mod demo;
pub mod fake_browser;
pub mod home;
pub mod judge;
pub mod native;
pub mod process;
pub mod profile;
pub mod reply;
pub mod site;
pub mod soak;
pub mod stage;
pub mod status;
pub mod user;
pub mod wait;
pub mod widgets;
