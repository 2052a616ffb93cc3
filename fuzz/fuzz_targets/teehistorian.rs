//! A teehistorian file.
#![no_main]

#[path = "../../crates/gamewire-tee/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::teehistorian(bytes);
});
