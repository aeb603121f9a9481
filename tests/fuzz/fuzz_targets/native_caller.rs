//! What Chromium, or somebody else, starts the connector with.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_browser_connector::testing::native_caller(bytes));
