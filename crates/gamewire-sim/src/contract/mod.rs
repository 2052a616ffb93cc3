//! What every datagram machine must keep, whatever its protocol: [`check`] tries hard to find a
//! breach, and tells a short way to it.
//!
//! * No input and no order of calls makes it panic.
//! * A rejected datagram leaves no trace: a twin that never got it says and does the same.
//! * After `handle_timeout(t)` no wake is due at or before `t`, and nothing spins.
//! * Equal seeds and inputs give equal bytes, events and wakes.
//! * Those who have proven nothing make it hold little memory, however many they are.
//! * A peer ends exactly once, and nothing is told of it afterwards.
//! * A clock that jumps, ahead or back, causes no storm of datagrams.
//!
//! Machines over streams must meet it, too: [`StreamsAsDatagram`] makes datagrams of the pieces in
//! which a stream arrives.

mod check;
mod flood;
mod generate;
mod harness;
mod lifecycle;
mod operation;
mod sequence;
mod shrink;
mod streams_as_datagram;
mod testbed;
mod violation;

pub use check::{check, check_operations, check_sequences, try_check, try_check_sequences};
pub use harness::{Command, Harness, Lifecycle, PEER, START, SUBJECT, unknown_addr};
pub use operation::{Change, Content, Hex, Operation, Source};
pub use streams_as_datagram::{NoSuchStream, StreamsAsDatagram};
pub use violation::{ContractViolation, Property};
