//! Tests of the Riptide facade, over sockets on loopback and over memory.
#![cfg(all(feature = "riptide", feature = "net"))]

mod allocations;
mod asynchronous;
mod attacks;
mod documents;
mod frame;
mod handlers;
mod own_transport;
mod support;
