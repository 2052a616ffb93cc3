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

mod allocations;
mod attacks;
mod captures;
#[path = "support/chunks.rs"]
mod chunks;
mod client;
mod corpora;
#[path = "support/encode.rs"]
mod encode;
mod freeciv;
mod link_allocations;
mod logins;
mod map_loading;
mod mutations;
mod riptide;
mod round_trip;
#[path = "support/seeds.rs"]
mod seeds;
mod support;
#[path = "support/targets.rs"]
mod targets;
mod tee;
mod teeworlds;
mod words;
