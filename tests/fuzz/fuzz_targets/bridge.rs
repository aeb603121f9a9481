//! What edge and service say to each other.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_transport::testing::bridge(bytes));
