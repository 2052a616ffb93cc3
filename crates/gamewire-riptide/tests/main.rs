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

mod attacks;
mod chats;
mod client;
mod crowds;
mod extension;
mod extension_contract;
mod extension_loss;
mod messages;
mod mutations;
#[path = "support/pair.rs"]
mod pair;
#[cfg(feature = "records")]
mod records;
mod round_trip;
mod serde;
mod server;
mod stalls;
mod support;
mod traces;
mod vectors;
