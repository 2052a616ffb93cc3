//! Operations on a client of Freeciv, in any order.
#![no_main]

#[path = "../../crates/gamewire-freeciv/tests/session/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzed::sequence::client(bytes, fuzzed::subjects::UNCOMPRESSED);
});
