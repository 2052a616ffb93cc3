//! Pasted bytes, explained in every dialect.
#![no_main]

#[path = "../../crates/gamewire-page/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::explain(bytes);
});
