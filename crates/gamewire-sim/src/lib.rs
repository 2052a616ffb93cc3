#![forbid(unsafe_code)]
//! A network without a network: what happens to datagrams on their way, in any time it is told.
//!
//! * [`Conditions`] say how bad one direction of a link is, and a [`Conditioner`] makes it so. It
//!   has no clock: a simulator drives it in virtual time, a driver with sockets in real time.
//!
//! Everything follows from a seed: the same seed and the same input give the same result.

mod conditioner;
mod conditions;

pub use conditioner::{Conditioner, Tally};
pub use conditions::Conditions;
