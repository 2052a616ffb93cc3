//! Handshakes as scenarios: byte for byte, against each other, and against those who mean no good.
#![allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]

mod captures;
mod client;
mod floods;
mod meetings;
mod puzzles;
mod reconnects;
mod silence;
mod support;
mod tokens;
