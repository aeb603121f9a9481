//! Messages of the extension that come in parts.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_service::testing::parts(bytes));
