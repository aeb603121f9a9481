//! JSON that the edge reads and writes as text.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_edge::testing::json_text(bytes));
