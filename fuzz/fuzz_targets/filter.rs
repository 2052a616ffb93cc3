//! The text of a filter, and packets of every protocol.
#![no_main]

#[path = "../../crates/gamewire-inspect/tests/support/filters.rs"]
mod filters;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    filters::filter(bytes);
});
