//! Datagrams of one conversation, in any dialect.
#![no_main]

#[path = "../../crates/gamewire/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| targets::packet(bytes));
