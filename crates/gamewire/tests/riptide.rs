//! Tests of the Riptide facade, over sockets on loopback and over memory.
#![cfg(all(feature = "riptide", feature = "net"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failing test panics"
)]

mod allocations;
mod asynchronous;
mod attacks;
mod documents;
mod frame;
mod handlers;
mod own_transport;
mod support;
