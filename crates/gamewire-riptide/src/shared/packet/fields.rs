//! The fields of each header (docs/protocols/riptide.md, "Headers").

use gamewire_wire::{CodecError, Layer, Trace};

use super::trailing;
use crate::shared::definition::{
    Bits8, Byte, Definition, DisconnectReason, FieldDefinition, HeaderField, MessageId, RejectReason, Short,
    Ushort, headers,
};
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

headers! {
    /// A message that may be lost.
    Unreliable "unreliable" {
        /// Id of the message type.
        id: u16 as MessageId,
        then payload by trace_payload: " Values of the message."
    }
    /// A client requests a connection.
    Connect "connect" {
        then data by trace_payload: " Connect data of the client's application."
    }
    /// A server has received a connect request, and replies when its application has decided.
    Pending "pending" {
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// A server rejects a client.
    Reject "reject" {
        /// Reason; the numbers differ by version, and the Python port uses those of 2.0.
        reason: u8 as RejectReason,
        then data by trace_payload: " Data of the server's application; used with reason `Custom` only."
    }
    /// A ping of a client.
    Heartbeat "heartbeat" {
        /// Id that the reply repeats.
        ping_id: u8 as Byte,
        /// Last round-trip time of the client in milliseconds; -1 (the Python port: 0) before the first one.
        rtt: i16 as Short,
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// The reply of a server to a heartbeat.
    HeartbeatReply "heartbeat_reply" {
        /// Id of the heartbeat.
        ping_id: u8 as Byte,
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// A client leaves: its `Disconnect`, which has no fields.
    Leave "leave" {
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// A server closes a connection.
    Disconnect "disconnect" {
        /// Reason; 80 is sent by a server of 2.1.0 to 2.2.0 that stops.
        reason: u8 as DisconnectReason,
        then data by trace_payload: " Data of the server's application; used with reason `Kicked` only."
    }
    /// A message whose sender learns whether it arrived (2.1). It has no message id.
    Notify "notify" {
        /// The newest notify message that the sender has received.
        last_received_seq_id: u16 as Ushort,
        /// Which of the 8 messages before that have arrived, the latest in the lowest bit.
        received_seq_ids: u8 as Bits8,
        /// Sequence number among the notify messages of the sender.
        seq_id: u16 as Ushort,
        then payload by trace_payload: " Values of the message."
    }
    /// A message that is resent until it is acknowledged.
    Reliable "reliable" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the message type.
        id: u16 as MessageId,
        then payload by trace_payload: " Values of the message."
    }
    /// A server accepts a client and assigns its id; the client echoes the packet. Reliable.
    Welcome "welcome" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the client.
        client_id: u16 as Ushort,
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// Another client connected. Reliable.
    ClientConnected "client_connected" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the other client.
        client_id: u16 as Ushort,
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// Another client disconnected. Reliable.
    ClientDisconnected "client_disconnected" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        /// Id of the other client.
        client_id: u16 as Ushort,
        then trailing by trace_trailing: " Bits without a meaning."
    }
    /// A packet whose header has no meaning: acknowledged like a reliable message, then dropped.
    Unknown "unknown_header" {
        /// Sequence number among the reliable messages of the sender.
        seq_id: u16 as Ushort,
        then payload by trace_payload: " The rest of the packet."
    }
}
