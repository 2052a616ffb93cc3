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
//! Machines over streams keep it, too: [`StreamAsDatagram`] and [`StreamsAsDatagram`] make datagrams of the
//! pieces in which a stream comes.

mod broken;
mod check;
mod flood;
mod generate;
mod life;
mod operation;
mod piecewise;
mod sequence;
mod shorten;
mod subject;
mod world;

pub use broken::{ContractViolation, Property};
pub use check::{check, check_operations, check_sequences, try_check, try_check_sequences};
pub use operation::{Change, Content, Hex, Operation, Source};
pub use piecewise::{NoSuchStream, StreamAsDatagram, StreamsAsDatagram};
pub use subject::{Command, Harness, Lifecycle, PEER, START, SUBJECT, unknown_addr};
