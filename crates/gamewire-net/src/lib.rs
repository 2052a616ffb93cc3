#![forbid(unsafe_code)]
//! Drivers give sockets and a clock to a machine of any protocol. This crate does not depend on a protocol.
//!
//! * [`blocking::Driver`] drives a [`Machine`](gamewire_machine::Machine) over a UDP socket, over TCP
//!   streams that peers open, or over a TCP stream that it opens. It has `update()` for a loop that
//!   must not wait, and `next_event()` for a program that does nothing else.
//! * `tokio::Driver` (feature `tokio`) has `next_event().await`.
//! * With the feature `tls`, streams are encrypted: `DriverConfig::tls_listen` and `tls_connect`.
//! * A [`Tap`] receives every datagram that a driver sends or receives, and optionally the bytes of streams.
//!   [`DriverConfig`] can also put [`Conditions`] between socket and machine, to test a program on a bad
//!   link. They do not apply to streams.
//!
//! A failure of one datagram or one stream is counted in [`Stats`] and does not stop the driver. Examples are a peer
//! that disappeared, a full buffer, a missing route, and no file descriptor for another stream. Only a socket that no
//! longer works is an error. All memory that grows with the peers' input is bounded ([`limits`]).
//!
//! With the feature `tracing`, drivers log with the target `gamewire`: events of the machine that begin or end a
//! connection (info), lost events (warn), sockets (info for listening sockets, otherwise debug), streams and dropped
//! datagrams (debug), and the length of each datagram (trace).
//! The clock of a driver and of its machine starts at [`Instant::ZERO`](gamewire_machine::Instant::ZERO) when the
//! driver is created.

mod address;
mod batch;
mod bind;
pub mod blocking;
mod config;
mod connect;
mod connections;
mod datagrams;
mod driver;
mod engine;
mod handshakes;
mod layer;
pub mod limits;
mod log;
mod observer;
mod outgoing;
mod queue;
mod send;
mod socket;
mod socket_error;
mod stats;
mod stream;
mod tap;
#[cfg(test)]
mod tests;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(feature = "tokio")]
pub mod tokio;
mod udp;
mod waker;

pub use address::{canonical, to_socket_family};
pub use batch::ReceiveBatch;
pub use bind::{OpenError, bind_both};
pub use config::{DriverConfig, Transports};
pub use driver::{Driver, Runtime};
pub use gamewire_sim::Conditions;
pub use log::log_event;
pub use send::{MAX_SEND_BATCH, Outgoing, send_each};
pub use stats::{Errors, Stats, StreamStats, Traffic};
pub use tap::{Direction, Tap, TapPacket};
pub use udp::prepare_udp;
