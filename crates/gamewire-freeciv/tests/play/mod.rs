//! Players on a gamewire server, in a simulated network.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod passwords;
mod replies;
mod support;
mod versions;
mod worlds;
