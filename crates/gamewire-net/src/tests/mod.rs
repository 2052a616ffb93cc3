//! The engine with scripted sockets.
#![allow(clippy::arithmetic_side_effects, reason = "counts of a test")]

#[path = "../../tests/support/datagram_peer.rs"]
mod datagram_peer;
mod receiving;
mod scripted_socket;
mod scripted_streams;
mod sending;
#[path = "../../tests/support/stream_server.rs"]
mod stream_server;
mod streams;
