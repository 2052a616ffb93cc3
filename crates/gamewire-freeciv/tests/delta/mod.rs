//! Packets of a handmade definition: each rule of the delta protocol, and attacks by a peer.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod allocations;
mod arrays;
mod attacks;
mod encoding;
mod errors;
mod fields;
mod memory;
mod mutations;
mod roles;
mod support;
mod types;
mod variants;
