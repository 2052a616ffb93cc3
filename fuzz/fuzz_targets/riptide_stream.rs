//! A TCP stream, cut in any way.
#![no_main]

#[path = "../../crates/gamewire-riptide/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::stream(bytes);
});
