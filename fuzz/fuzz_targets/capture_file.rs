//! A capture file with all that is in it.
#![no_main]

#[path = "../../crates/gamewire/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::capture_file(bytes));
