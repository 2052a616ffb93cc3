//! The record layer between a client and a server: operations of both, of the network and of an attacker.
#![no_main]

#[path = "../../crates/gamewire-records/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::records(bytes);
});
