//! The contract that every protocol of gamewire keeps, without a protocol's word in it.
//!
//! * A [`Machine`] plays a role in a protocol. It owns no socket, no clock, no thread and no
//!   source of randomness: bytes and the time are handed in, bytes and events are polled out.
//!   [`Datagram`], [`Stream`] and [`Streams`] say which kind of transport it rides on; a server
//!   may ride on datagrams and streams at once.
//! * [`pump`] is the one drain loop: drivers with sockets and simulators in virtual time both
//!   turn a machine with it.
//! * A [`Follow`]er is the passive twin: it watches both directions of a conversation and tells
//!   a [`Trace`](gamewire_wire::Trace) what it sees. A [`Record`] is a trace that keeps it all.

mod clock;
mod counter;
mod event_queue;
mod follow;
mod instant;
mod machine;
mod outbox;
pub mod pump;
pub mod record;
mod role;
mod streams;
mod timer_table;

pub use clock::Clock;
pub use counter::Counter;
pub use event_queue::{EventLimits, EventQueue, QueuedEvent};
pub use follow::{ConversationSide, Follow};
pub use instant::Instant;
pub use machine::{Datagram, Machine, Stream, Transmit, Wake};
pub use outbox::TransmitQueue;
pub use record::Record;
pub use role::Role;
pub use streams::{StreamId, StreamOutput, Streams};
pub use timer_table::TimerTable;
