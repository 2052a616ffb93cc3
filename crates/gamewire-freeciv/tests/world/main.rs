//! The world that a game's packets describe, by recorded games, and orders as they stand on the wire.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod hostile;
mod orders;
mod recorded;
mod replay;
