//! Evaluation of rules with the rulesets of recorded games.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail"
)]

mod growth;
mod hostile;
mod production;
#[path = "../world/replay.rs"]
#[allow(dead_code, reason = "the tests of the world use the rest")]
mod replay;
mod requirements;
mod research;
mod support;
