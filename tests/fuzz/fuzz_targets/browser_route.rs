//! A browser's hellos, results and events in any order.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_service::testing::browser_route(bytes));
