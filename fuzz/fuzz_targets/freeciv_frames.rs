//! A stream of frames, cut in any way.
#![no_main]
#![allow(dead_code, reason = "the tests use more of it")]

#[path = "../../crates/gamewire-freeciv/tests/packets/codec.rs"]
mod codec;
#[path = "../../crates/gamewire-freeciv/tests/packets/definition.rs"]
mod definition;
#[path = "../../crates/gamewire-freeciv/tests/packets/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::frames(bytes);
});
