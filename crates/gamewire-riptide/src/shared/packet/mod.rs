//! Packets: a header, its fields, and what follows them.

mod any;
mod headers;
mod patch;
mod tail;
#[cfg(test)]
mod tests;

pub use any::Packet;
pub use headers::{
    Ack, ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Pending, Reject, Reliable, Unknown, Unreliable, Welcome,
};
pub use patch::{set_notify_ids, set_seq_id};
pub(crate) use tail::{payload as tell_payload, trailing as tell_trailing};
