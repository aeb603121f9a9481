//! The frames of admission, before anybody has proved anything.
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ghostlight_transport::testing::hello(bytes));
