//! A client's stdin, cut anywhere.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_edge::testing::lines(bytes));
