//! A client's lines and a service's messages in any order.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_edge::testing::session(bytes));
