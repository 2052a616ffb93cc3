//! The content of a chunk, read, written and read again.
#![no_main]

#[path = "../../crates/gamewire/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::message(bytes);
});
