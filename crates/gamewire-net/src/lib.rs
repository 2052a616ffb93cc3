#![forbid(unsafe_code)]
//! Drivers: they give a machine of any protocol sockets and a clock. Nothing here names a protocol.
//!
//! * [`blocking::Driver`] drives a [`Datagram`](gamewire_machine::Datagram) machine over UDP. It
//!   has `update()` for a loop that must not wait, and `next_event()` for a program that has
//!   nothing else to do.
//! * [`blocking::StreamDriver`] drives a [`Stream`](gamewire_machine::Stream) machine over a
//!   stream that it opens over TCP.
//! * [`blocking::Host`] drives a machine that speaks in datagrams and over
//!   [`Streams`](gamewire_machine::Streams) that peers open: over UDP, TCP, or both on one port.
//!   [`StreamOnly`] is for a machine that has no datagrams.
//! * The same under `tokio` (feature `tokio`) have `next_event().await`.
//! * A [`Tap`] sees every datagram that crosses the socket, and what crosses streams if it wants.
//!   [`DriverConfig`] can also put [`Conditions`] between socket and machine, to try a program on a
//!   bad link; streams do not know bad links.
//!
//! What goes wrong with one datagram or one stream is counted in [`Stats`] and is not the end: a
//! peer that is gone, a full buffer, a route that is down, no descriptor for one more stream. Only
//! a socket that no longer works is an error. Whatever grows with what peers do is bounded
//! ([`limits`]).
//!
//! A driver's time begins at [`Instant::ZERO`](gamewire_machine::Instant::ZERO) when it is made;
//! so does that of the machine it is given.

mod address;
mod bind;
pub mod blocking;
mod buffered_stream;
mod clock;
mod config;
mod connections;
mod datagrams;
mod drain;
mod engine;
mod incoming;
pub mod limits;
mod observer;
mod outgoing;
mod queue;
mod socket;
mod socket_error;
mod stats;
mod stream_slot;
mod tap;
#[cfg(test)]
mod tests;
#[cfg(feature = "tokio")]
pub mod tokio;

pub use bind::OpenError;
pub use config::{DriverConfig, Transports};
pub use gamewire_sim::Conditions;
pub use stats::{Errors, Stats, StreamStats, Traffic};
pub use tap::{Direction, Tap, TapPacket};
