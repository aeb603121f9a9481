//! What pages and models write, rendered and read.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_service::testing::page_words(bytes));
