//! Attacks on the boundary between users and programs of one machine, each with the outcome that is right.
//!
//! Rows that need a second user need root, and say aloud when they are skipped for want of it. `FULL=1`
//! gives races a hundred rounds; without it they get a few.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

mod closed;
mod door;
mod ground;
mod handles;
mod life;
mod namespaces;
mod network;
mod places;
mod planted;
mod raw;
mod sibling;
mod surroundings;
mod wire;
