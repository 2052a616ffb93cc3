//! A packet of either version.
#![no_main]

#[path = "../../crates/gamewire-riptide/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::packet(bytes);
});
