//! Packets by a definition written by hand: each rule of the delta protocol, and what a peer can
//! do to it.
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
