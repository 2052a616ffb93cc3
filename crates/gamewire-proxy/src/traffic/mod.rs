//! Packets, events and counters of a proxy.

mod event;
mod packet;
mod stats;

pub use event::{ClientNumber, CloseReason, Event};
pub use packet::Packet;
pub(crate) use stats::increment;
pub use stats::{ClientStats, DirectionStats, RelayStats};
