//! Packets, values and frames on the wire, for tools and tests.
//!
//! [`Packet`] decodes and encodes one packet of a [`Version`]. [`Reader`] and [`Writer`] are cursors over
//! its bits, and [`FrameSplitter`] cuts a TCP stream into packets. [`V20`] and [`V21`] are the versions.

pub use crate::shared::frame::{
    FRAME_DEFINITION, FrameSplitter, prefix_len as frame_prefix_len, read_length as read_frame_length,
    write as write_frame,
};
pub use crate::shared::header::Header;
pub use crate::shared::message::{Number, Numbers, Reader, Text, TextError, Value, Writer};
pub use crate::shared::packet::{
    Ack, ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Packet, Pending, Reject, Reliable, Unknown, Unreliable, Welcome, packet_definitions, set_notify_ids,
    set_seq_id,
};
pub use crate::shared::payload::Payload;
pub use crate::shared::version::{MAX_PAYLOAD_SIZE, Version};
pub use crate::shared::warning::ALL as WARNINGS;
pub use crate::versions::{V20, V21};
pub use gamewire_wire::{Definition, FieldDefinition};

/// Returns the definitions of the prefix of TCP frames and of every header of both versions. A name in both versions
/// occurs twice.
pub fn definitions() -> impl Iterator<Item = &'static Definition> {
    [FRAME_DEFINITION].into_iter().chain(packet_definitions::<V20>()).chain(packet_definitions::<V21>())
}
