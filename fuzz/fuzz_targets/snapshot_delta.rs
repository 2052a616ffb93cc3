//! A base and a delta, applied and built again.
#![no_main]

#[path = "../../crates/gamewire/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::snapshot_delta(bytes);
});
