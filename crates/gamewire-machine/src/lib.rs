//! The contract that every protocol of gamewire keeps. Nothing here names a protocol.
//!
//! * A [`Machine`] plays a role in a protocol. It owns no socket, no clock, no thread and no
//!   source of randomness: bytes and the time are passed in, bytes and events are polled out. It
//!   may use datagrams, streams or both.
//! * [`pump`](pump()) is the one drain loop of drivers with sockets and of simulators in virtual
//!   time.
//! * A [`Follow`]er is the passive twin: it watches both directions of a conversation and reports
//!   what it sees to a [`Trace`](gamewire_wire::Trace). A [`Record`] is a trace that keeps it all.

mod counter;
mod event_queue;
mod follow;
mod instant;
mod log_line;
mod machine;
mod pump;
pub mod record;
mod role;
mod stream;
mod timer_table;
mod transmit_queue;

pub use counter::Counter;
pub use event_queue::{EventLimits, EventQueue, QueuedEvent};
pub use follow::{ConversationSide, Follow};
pub use instant::{Clock, Instant};
pub use log_line::{LogLevel, LogLine};
pub use machine::{Machine, Transmit, Wake};
pub use pump::{Output, pump};
pub use record::Record;
pub use role::Role;
pub use stream::{StreamId, StreamOutput};
pub use timer_table::TimerTable;
pub use transmit_queue::TransmitQueue;
