//! Packets: a header, its fields and their payload.

mod ack;
pub(crate) mod fast_path;
mod fields;
#[allow(clippy::module_inception, reason = "the folder is named after its main type")]
mod packet;
mod patch;
#[cfg(test)]
mod tests;
mod trailing;

pub use ack::Ack;
pub(crate) use ack::ack_fields;
pub use fields::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Pending, Reject, Reliable, Unknown, Unreliable, Welcome,
};
pub use packet::Packet;
pub use patch::{set_notify_ids, set_seq_id};
pub(crate) use trailing::trace_trailing;
