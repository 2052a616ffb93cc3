#![forbid(unsafe_code)]
//! A network without sockets: it impairs datagrams and streams, in virtual or real time.
//!
//! * [`Conditions`] say how bad one direction of a link is, and a [`Conditioner`] makes it so. It
//!   has no clock: a simulator drives it in virtual time, a driver with sockets in real time.
//! * A [`Network`] holds datagram machines by address and lets virtual time pass between them; a
//!   [`StreamNetwork`] does that for a host of streams and the clients that open them.
//! * [`contract`] is what every machine must keep, as a test that each protocol calls.
//!
//! Everything follows from a seed: the same seed and the same input give the same result.

mod conditioner;
mod conditions;
pub mod contract;
mod livelock;
mod network;
mod stream;

pub use conditioner::{Conditioner, ConditionerStats};
pub use conditions::Conditions;
pub use livelock::Livelock;
pub use network::{Network, NodeId};
pub use stream::{StreamConditions, StreamNetwork};
