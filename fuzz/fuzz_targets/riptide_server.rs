//! Operations on a server of Riptide, in any order.
#![no_main]

#[path = "../../crates/gamewire-riptide/tests/support/mod.rs"]
mod support;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    support::sequence::server(bytes, 32);
});
