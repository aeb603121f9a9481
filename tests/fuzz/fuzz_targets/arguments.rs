//! A call's arguments against the catalog's schemas.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_service::testing::arguments(bytes));
