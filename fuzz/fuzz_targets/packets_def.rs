//! A definition, compiled, and everything made of it that can be made.
#![no_main]

#[path = "../../crates/gamewire-schema/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::packets_def(bytes);
});
