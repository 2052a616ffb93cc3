//! The properties of the machines of all protocols. [`check`] searches for a violation, and shrinks it to a short list
//! of operations.
//!
//! * No input and no order of calls makes it panic.
//! * A rejected datagram has no effect: a copy of the machine that never received it behaves the same.
//! * After `handle_timeout(t)` no timer is due at or before `t`, and there is no busy loop.
//! * Equal seeds and inputs give equal bytes, events and timers.
//! * Any number of unproven peers uses little memory.
//! * Each peer ends exactly once, with its last event.
//! * A clock that jumps, ahead or back, causes no burst of datagrams.
//!
//! Machines over streams must have these properties, too: [`StreamsAsDatagram`] passes the pieces of a stream as
//! datagrams.

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

pub use check::{check, check_input, check_operations, check_sequences, try_check, try_check_sequences};
pub use harness::{Command, Harness, Lifecycle, PEER, START, SUBJECT, unknown_addr};
pub use operation::{Change, Content, Hex, Operation, Source};
pub use streams_as_datagram::{NoSuchStream, StreamsAsDatagram};
pub use violation::{ContractViolation, Property};
