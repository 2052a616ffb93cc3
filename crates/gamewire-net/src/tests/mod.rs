//! The engines with sockets that fail as they are told.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

#[path = "../../tests/support/exchange.rs"]
mod exchange;
#[path = "../../tests/support/parrot.rs"]
mod parrot;
mod receiving;
mod script;
mod sending;
mod streams;
mod wires;
