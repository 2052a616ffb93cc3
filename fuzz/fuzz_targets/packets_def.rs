//! A definition, compiled, and everything made of it that can be made.
#![no_main]

#[path = "../../crates/gamewire-schema/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Longer definitions are slower, and reach nothing else.
    if bytes.len() <= 1_024 {
        targets::packets_def(bytes);
    }
});
