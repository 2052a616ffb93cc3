//! Tests of the Riptide facade, over sockets on loopback and over memory.
#![cfg(all(feature = "riptide", feature = "net"))]
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a failing test panics"
)]

#[path = "riptide/allocations.rs"]
mod allocations;
#[path = "riptide/asynchronous.rs"]
mod asynchronous;
#[path = "riptide/attacks.rs"]
mod attacks;
#[path = "riptide/documents.rs"]
mod documents;
#[path = "riptide/frame.rs"]
mod frame;
#[path = "riptide/handlers.rs"]
mod handlers;
#[path = "riptide/own_transport.rs"]
mod own_transport;
#[path = "riptide/support.rs"]
mod support;
