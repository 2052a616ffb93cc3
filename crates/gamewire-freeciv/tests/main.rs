//! The integration tests. They are one program, because each program links the whole crate.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failing test panics"
)]

#[cfg(feature = "agent")]
mod agent;
mod conversation;
mod delta;
mod follow;
mod frames;
mod generated;
mod legal;
mod opponent;
mod packets;
mod path;
mod play;
mod rules;
mod session;
mod world;
