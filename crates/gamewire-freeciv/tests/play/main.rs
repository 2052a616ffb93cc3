//! Players at a server of ours, in a simulated network.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod answers;
mod passwords;
mod support;
mod worlds;
