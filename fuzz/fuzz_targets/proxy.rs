//! A bridge of a terminating proxy between a client and a server.
#![no_main]

#[path = "../../crates/gamewire-proxy/tests/fuzzed/mod.rs"]
mod fuzzed;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    fuzzed::session::proxy(bytes);
});
