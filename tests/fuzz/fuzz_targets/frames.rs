//! Frames of either socket and of native messaging, cut anywhere.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_transport::testing::frames(bytes));
