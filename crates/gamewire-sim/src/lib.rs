#![forbid(unsafe_code)]
//! A network without sockets. It impairs datagrams and streams, in virtual or real time.
//!
//! * [`Conditions`] describe one direction of a link, and a [`Conditioner`] applies them. It has no clock: a simulator
//!   drives it in virtual time, a driver with sockets in real time.
//! * A [`Network`] holds datagram machines by address and lets virtual time pass between them; a [`StreamNetwork`] does
//!   the same for a host of streams and its clients.
//! * [`contract`] checks the required properties of every machine. Each protocol calls it in a test.
//! * [`random`] has the random numbers and mutations of tests.
//!
//! All results are deterministic: the same seed and the same input give the same result.

mod conditioner;
mod conditions;
pub mod contract;
mod livelock;
mod network;
pub mod random;
mod stream;

pub use conditioner::{Conditioner, ConditionerStats};
pub use conditions::Conditions;
pub use livelock::Livelock;
pub use network::{Network, NodeId};
pub use stream::{StreamConditions, StreamNetwork};
