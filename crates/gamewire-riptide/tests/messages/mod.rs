//! Messages of an application: encoding, decoding, handlers, and attacks by peers.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod allocations;
mod attacks;
mod derived;
mod golden;
mod handlers;
mod hygiene;
mod limits;
mod relay;
mod round_trip;
mod vectors;
