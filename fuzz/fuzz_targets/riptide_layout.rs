//! Payloads as messages that an application has described.
#![no_main]

#[path = "../../crates/gamewire-riptide/tests/support/layout.rs"]
mod layout;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    layout::layout(bytes);
    layout::layout_text(&String::from_utf8_lossy(bytes));
});
