//! Passive observation of conversations, with a small definition.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod attacks;
mod conversation;
mod fields;
mod losses;
mod recognition;
mod support;
