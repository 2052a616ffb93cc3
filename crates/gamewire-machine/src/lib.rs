//! The interface of all protocols of gamewire. This crate does not depend on a protocol.
//!
//! * A [`Machine`] implements a role of a protocol without a socket, clock, thread or source of randomness. The caller
//!   passes in bytes and the time, and polls bytes and events. A machine may use datagrams, streams or both.
//! * [`pump`](pump()) drains a machine. Drivers with sockets and simulators in virtual time share this loop.
//! * A [`Follow`]er is passive: it decodes both directions of a conversation and reports their content to a
//!   [`Trace`](gamewire_wire::Trace). A [`Record`] is a trace that stores all of it.

mod counter;
mod event_queue;
mod follow;
mod instant;
mod log_line;
mod machine;
mod network;
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
pub use network::limited_network;
pub use pump::{Output, drain, pump};
pub use record::Record;
pub use role::{Role, Transport};
pub use stream::{StreamId, StreamOutput};
pub use timer_table::TimerTable;
pub use transmit_queue::TransmitQueue;
