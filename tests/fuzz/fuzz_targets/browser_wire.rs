//! What the extension says to the service.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_transport::testing::browser_wire(bytes));
