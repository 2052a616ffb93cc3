//! The fields of each header (docs/protocols/riptide.md, "Headers").

use gamewire_wire::{CodecError, Layer, Trace};

use super::tail;
use crate::shared::definition::{
    Bits8, Byte, Definition, DisconnectReason, FieldDefinition, HeaderField, MessageId, RejectReason, Short,
    Ushort, headers,
};
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

headers! {
    /// A message that may get lost.
    Unreliable "unreliable" {
        /// Which message of the application it is.
        id: u16 as MessageId,
        then payload by payload: " Its values."
    }
    /// A client asks for a connection.
    Connect "connect" {
        then data by payload: " What the application of the client has to say."
    }
    /// A server has heard a client, and will answer when its application has decided.
    Pending "pending" {
        then trailing by trailing: " Bits that mean nothing."
    }
    /// A server refuses a client.
    Reject "reject" {
        /// Why; the numbers differ by version, and the Python port uses those of 2.0.
        reason: u8 as RejectReason,
        then data by payload: " What the application of the server has to say; it counts with reason `Custom` only."
    }
    /// A client asks whether the server is there.
    Heartbeat "heartbeat" {
        /// Comes back in the answer.
        ping_id: u8 as Byte,
        /// Milliseconds that the client measured last; -1 (the Python port: 0) when it has not yet.
        rtt: i16 as Short,
        then trailing by trailing: " Bits that mean nothing."
    }
    /// The server answers a heartbeat.
    HeartbeatReply "heartbeat_reply" {
        /// That of the question.
        ping_id: u8 as Byte,
        then trailing by trailing: " Bits that mean nothing."
    }
    /// A client leaves: its `Disconnect`, which says no more.
    Leave "leave" {
        then trailing by trailing: " Bits that mean nothing."
    }
    /// A server ends a connection.
    Disconnect "disconnect" {
        /// Why. 80 is a server of 2.1.0 to 2.2.0 that stops.
        reason: u8 as DisconnectReason,
        then data by payload: " What the application of the server has to say; it counts with reason `Kicked` only."
    }
    /// A message whose fate its sender is told (2.1). Its values say what it is.
    Notify "notify" {
        /// The newest notify message that the sender has received.
        last_received_seq_id: u16 as Ushort,
        /// Which of the 8 before that it received too, the latest of them in the lowest bit.
        received_seq_ids: u8 as Bits8,
        /// Its number among the notify messages of its sender.
        seq_id: u16 as Ushort,
        then payload by payload: " Its values."
    }
    /// A message that is sent until it is acknowledged.
    Reliable "reliable" {
        /// Its number among the reliable messages of its sender.
        seq_id: u16 as Ushort,
        /// Which message of the application it is.
        id: u16 as MessageId,
        then payload by payload: " Its values."
    }
    /// A server takes a client and says who it is; the client repeats it. Reliable.
    Welcome "welcome" {
        /// Its number among the reliable messages of its sender.
        seq_id: u16 as Ushort,
        /// The number of the client.
        client_id: u16 as Ushort,
        then trailing by trailing: " Bits that mean nothing."
    }
    /// Another client came. Reliable.
    ClientConnected "client_connected" {
        /// Its number among the reliable messages of its sender.
        seq_id: u16 as Ushort,
        /// The number of the other client.
        client_id: u16 as Ushort,
        then trailing by trailing: " Bits that mean nothing."
    }
    /// Another client left. Reliable.
    ClientDisconnected "client_disconnected" {
        /// Its number among the reliable messages of its sender.
        seq_id: u16 as Ushort,
        /// The number of the other client.
        client_id: u16 as Ushort,
        then trailing by trailing: " Bits that mean nothing."
    }
    /// A packet whose header means nothing: acknowledged like a reliable message, then dropped.
    Unknown "unknown_header" {
        /// Its number among the reliable messages of its sender.
        seq_id: u16 as Ushort,
        then payload by payload: " What follows."
    }
}

/// What of the other side's reliable messages has arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack<'a> {
    /// The newest reliable message that has arrived.
    pub last_received_seq_id: u16,
    /// Which of the 16 before that have arrived, the latest of them in the lowest bit.
    pub received_seq_ids: u16,
    /// The message that this answers, if it is another one than the newest.
    pub for_seq_id: Option<u16>,
    /// Bits that mean nothing; in 2.1.0 to 2.1.2 the 16 of an id that the flag denies.
    pub trailing: Payload<'a>,
}
