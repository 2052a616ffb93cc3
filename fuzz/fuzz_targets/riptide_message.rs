//! Values of a message, in any order.
#![no_main]

#[path = "../../crates/gamewire-riptide/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::message(bytes);
});
