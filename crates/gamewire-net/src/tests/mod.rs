//! The engine with a port that fails as it is told.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

#[path = "../../tests/support/parrot.rs"]
mod parrot;
mod receiving;
mod script;
mod sending;
