//! Packets: a header, its fields and their payload.

mod ack;
pub(crate) mod fast_path;
mod field;
#[allow(clippy::module_inception, reason = "the folder is named after its main type")]
mod packet;
mod table;
#[cfg(test)]
mod tests;

pub use ack::Ack;
pub(crate) use field::trace_rest;
pub use packet::{set_notify_ids, set_seq_id};
pub use table::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Packet, Pending, Reject, Reliable, Unknown, Unreliable, Welcome, packet_definitions,
};
