#![forbid(unsafe_code)]
//! Drivers: they give a [`Datagram`](gamewire_machine::Datagram) machine of any protocol a socket
//! and a clock. Nothing here names a protocol.
//!
//! * [`blocking::Driver`] has `update()` for a loop that must not wait, and `next_event()` for a
//!   program that has nothing else to do.
//! * `tokio::Driver` (feature `tokio`) has `next_event().await`.
//! * A [`Tap`] sees every datagram that crosses the socket. [`Settings`] can also put
//!   [`Conditions`] between socket and machine, to try a program on a bad link.
//!
//! What goes wrong with one datagram is counted in [`Stats`] and is not the end: a peer that is
//! gone, a full buffer, a route that is down. Only a socket that no longer works is an error.
//!
//! A driver's time begins at [`Instant::ZERO`](gamewire_machine::Instant::ZERO) when it is made;
//! so does that of the machine it is given.

mod address;
pub mod blocking;
mod clock;
mod connections;
mod datagrams;
mod engine;
mod failure;
mod host_engine;
mod incoming;
pub mod limits;
mod line;
mod observer;
mod open;
mod outgoing;
mod parting;
mod pipe;
mod port;
mod queue;
mod settings;
mod stats;
mod stream_engine;
mod tap;
#[cfg(test)]
mod tests;
#[cfg(feature = "tokio")]
pub mod tokio;

pub use gamewire_sim::Conditions;
pub use open::OpenError;
pub use settings::{Settings, Transports};
pub use stats::{Errors, Stats, StreamStats, Traffic};
pub use tap::{Crossing, Direction, Tap};
