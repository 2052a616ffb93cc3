//! Scenarios of handshakes: captured bytes, both roles against each other, and attacks.
#![allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]

mod antispoof;
mod captures;
mod client;
mod confirmed;
mod floods;
mod meetings;
mod offers;
mod reconnects;
mod silence;
mod support;
mod tokens;
