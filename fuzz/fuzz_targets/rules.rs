//! A file of rules, and the messages that it decides about.
#![no_main]

#[path = "../../crates/gamewire-proxy/tests/fuzzed/mod.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzed::rules::rules(bytes);
});
