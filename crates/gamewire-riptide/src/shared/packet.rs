//! Packets: a header, its fields and their payload.

mod ack;
pub(crate) mod fast_path;
mod field;
mod table;
#[cfg(test)]
mod tests;

pub use ack::Ack;
pub(crate) use field::trace_rest;
pub use table::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, HeartbeatReply, Leave, Notify,
    Packet, Pending, Reject, Reliable, Unknown, Unreliable, Welcome, packet_definitions,
};

use gamewire_machine::Role;
use gamewire_wire::{CodecError, Found, Layer, Result, Trace, Value};

use crate::shared::header::Header;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::{Payload, span};
use crate::shared::reason::DisconnectReason;
use crate::shared::version::Version;
use crate::shared::warning;

impl<'a> Packet<'a> {
    /// Decodes a datagram or the content of a TCP frame, and traces it as one group.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if it is empty or ends before its last field does. The trace receives
    /// the error, too.
    pub fn decode<V: Version, T: Trace>(datagram: &'a [u8], sender: Role, trace: &mut T) -> Result<Self> {
        Self::decode_with::<V, T>(datagram, sender, trace, |_, _| {})
    }

    /// Decodes a packet as [`Packet::decode`] does, and calls `trace_more` inside its group.
    pub(crate) fn decode_with<V: Version, T: Trace>(
        datagram: &'a [u8],
        sender: Role,
        trace: &mut T,
        trace_more: impl FnOnce(&Self, &mut T),
    ) -> Result<Self> {
        let mut from = Reader::<V>::new(datagram);
        let number = match from.word(V::HEADER_BITS, "a header") {
            Ok(number) => number.to_le_bytes()[0],
            Err(error) => {
                trace.error(&error);
                return Err(error);
            }
        };
        let header = V::header(number);
        let name = Self::name_of(header, sender);
        trace.enter(Layer::Message, name, Payload::new(datagram).span());
        let header_span = span(0, V::HEADER_BITS);
        trace.field("header", header_span, Value::Named { value: number.into(), name: header.name() });
        if datagram.len() > V::MAX_SIZE {
            trace.warning(Payload::new(datagram).span(), &warning::TOO_LONG);
        }
        if matches!(header, Header::Unknown(_)) {
            trace.warning(header_span, &warning::UNKNOWN_HEADER);
        }
        let packet = Self::read_fields(header, sender, from, trace).map_err(|error| error.in_packet(name));
        match &packet {
            Ok(Packet::Disconnect(disconnect)) if is_legacy_stop::<V>(disconnect) => {
                trace.warning(span(0, 16), &warning::LEGACY_STOP);
            }
            Ok(packet) => trace_more(packet, trace),
            Err(error) => trace.error(error),
        }
        trace.exit();
        packet
    }

    /// Writes the packet. If its payload is empty, the values of a message can follow in `to`.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full or this version has no such packet. Nothing is
    /// written.
    pub fn encode<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.all_or_nothing(|to| self.write(to)).map_err(|error| error.in_packet(self.name()))
    }

    #[inline]
    fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        let header = match self {
            Self::Ack(ack) => ack.header::<V>(),
            other => other.header(),
        };
        let number = V::number(header).filter(|number| usize::from(*number) >> V::HEADER_BITS == 0);
        let Some(number) = number else {
            let found = if let Header::Unknown(number) = header { number } else { u8::MAX };
            let expected = "a header that this version has";
            return Err(CodecError::new(0, expected, Found::Value(found.into())).in_field("header"));
        };
        to.word(V::HEADER_BITS, number.into()).map_err(|error| error.in_field("header"))?;
        self.write_fields(to)
    }
}

fn is_legacy_stop<V: Version>(disconnect: &Disconnect<'_>) -> bool {
    V::HAS_BITS && disconnect.reason == DisconnectReason::LEGACY_STOP
}

/// Sets the `seq_id` of a written reliable packet: the 16 bits after its header.
///
/// # Errors
/// [`CodecError`](gamewire_wire::CodecError) if fewer bits are written.
pub fn set_seq_id<V: Version>(packet: &mut Writer<'_, V>, seq_id: u16) -> Result<()> {
    packet.replace(V::HEADER_BITS, 16, seq_id.into()).map_err(|error| error.in_field("seq_id"))
}

/// Sets all three ids of a written notify packet.
///
/// # Errors
/// [`CodecError`](gamewire_wire::CodecError) if fewer bits are written.
pub fn set_notify_ids<V: Version>(
    packet: &mut Writer<'_, V>,
    last_received_seq_id: u16,
    received_seq_ids: u8,
    seq_id: u16,
) -> Result<()> {
    let last = u64::from(last_received_seq_id);
    let ids = last | u64::from(received_seq_ids) << 16 | u64::from(seq_id) << 24;
    packet.replace(V::HEADER_BITS, 40, ids).map_err(|error| error.in_packet("notify"))
}
