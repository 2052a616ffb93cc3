//! The upgrade and the frames of a WebSocket, of either role, cut in any way.
#![no_main]

#[path = "../../crates/gamewire-websocket/tests/support/targets.rs"]
mod targets;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    targets::websocket(bytes);
});
