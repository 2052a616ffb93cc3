//! A recorded conversation, and the machines that replay it.
#![no_main]

#[path = "../../crates/gamewire-proxy/tests/fuzzed/mod.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzed::replay::replay(bytes);
});
