//! Operations on a server of Freeciv, in any order.
#![no_main]

#[path = "../../crates/gamewire-freeciv/tests/session/fuzzed.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzed::sequence::server(bytes, fuzzed::subjects::UNCOMPRESSED);
});
