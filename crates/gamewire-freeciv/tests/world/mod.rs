//! The world of recorded games, and the bytes of orders.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod endings;
mod hostile;
mod legal_actions;
mod opponent;
mod orders;
mod recorded;
mod replay;
#[cfg(feature = "serde")]
mod serialized;
mod taken_in;
