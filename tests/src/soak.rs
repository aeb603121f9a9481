//! The soak: a mixed load with random kills on a real Chromium, and the account of it.

pub mod account;
pub mod load;
