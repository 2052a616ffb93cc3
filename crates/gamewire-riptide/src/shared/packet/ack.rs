//! The ack. In 2.0 it has one of two headers; in 2.1 a flag announces the additional id.
//!
//! Senders of 2.1.0 to 2.1.2 append the id even if the flag denies it. Receivers follow the flag, and so does this
//! reader, which keeps the remaining bits as trailing bits.

use gamewire_wire::{Definition, FieldDefinition, Layer, Result, Trace, Value};

use super::Packet;
use super::field::{Bits16, HeaderField, Ushort, trace_rest};
use crate::shared::header::Header;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::shared::warning;

const LAST_RECEIVED: FieldDefinition = FieldDefinition::new(
    "last_received_seq_id",
    "Ushort",
    &["The newest reliable message that has arrived."],
);
const RECEIVED: FieldDefinition = FieldDefinition::new(
    "received_seq_ids",
    "Bits16",
    &[
        "The 16 messages before that: one bit for each, set if it has arrived. The lowest bit is the latest message.",
    ],
);
const FLAG: FieldDefinition = FieldDefinition::new(
    "has_for_seq_id",
    "Bool",
    &["True if the ack also names the message that it acknowledges."],
);

/// An acknowledgement of the peer's reliable messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack<'a> {
    /// The newest reliable message that has arrived.
    pub last_received_seq_id: u16,
    /// The 16 messages before that: one bit for each, set if it has arrived. The lowest bit is the latest message.
    pub received_seq_ids: u16,
    /// The message that this acknowledges, if it is not the newest.
    pub for_seq_id: Option<u16>,
    /// Bits without a meaning; in 2.1.0 to 2.1.2 the 16 bits of an id that the flag denies.
    pub trailing: Payload<'a>,
}

impl<'a> Ack<'a> {
    /// Returns the ack as data.
    pub(super) const fn definition<V: Version>() -> &'static Definition {
        const V20: &Definition = &Definition {
            layer: Layer::Message,
            name: "ack",
            doc: &["The peer's reliable messages that have arrived: `Ack` or `AckExtra`."],
            fields: &[
                LAST_RECEIVED,
                RECEIVED,
                FieldDefinition::new(
                    "for_seq_id",
                    "Ushort",
                    &["`AckExtra`: the message that this acknowledges."],
                ),
                FieldDefinition::new("trailing", "Payload", &["Bits without a meaning."]),
            ],
        };
        const V21: &Definition = &Definition {
            doc: &["The peer's reliable messages that have arrived."],
            fields: &[
                LAST_RECEIVED,
                RECEIVED,
                FLAG,
                FieldDefinition::new("for_seq_id", "Ushort", &["The message that this acknowledges."]),
                FieldDefinition::new(
                    "trailing",
                    "Payload",
                    &["Bits without a meaning; in 2.1.0 to 2.1.2 the 16 bits of an id that the flag denies."],
                ),
            ],
            ..*V20
        };
        if V::HAS_BITS { V21 } else { V20 }
    }

    /// Returns the header of this ack in a version.
    pub const fn header<V: Version>(&self) -> Header {
        if self.for_seq_id.is_some() && !V::HAS_BITS { Header::AckExtra } else { Header::Ack }
    }

    /// Reads the fields after the header.
    #[inline]
    pub(super) fn read<V: Version, T: Trace>(
        header: Header,
        mut from: Reader<'a, V>,
        trace: &mut T,
    ) -> Result<Self> {
        let last_received_seq_id = Ushort::read(&mut from, LAST_RECEIVED.name, trace)?;
        let received_seq_ids = Bits16::read(&mut from, RECEIVED.name, trace)?;
        let has_id = if V::HAS_BITS {
            let start = from.position();
            let flag = from.bool().map_err(|error| error.in_field(FLAG.name))?;
            trace.field(FLAG.name, from.span_since(start), Value::Bool(flag));
            flag
        } else {
            header == Header::AckExtra
        };
        let for_seq_id = if has_id { Some(Ushort::read(&mut from, "for_seq_id", trace)?) } else { None };
        let trailing = from.rest();
        let is_denied_id = V::HAS_BITS && !has_id && trailing.bit_len() >= 16;
        trace_rest("trailing", &trailing, is_denied_id, trace);
        if is_denied_id {
            trace.warning(trailing.span(), &warning::LONG_ACK);
        }
        Ok(Self { last_received_seq_id, received_seq_ids, for_seq_id, trailing })
    }

    /// Writes the fields after the header.
    #[inline]
    pub(super) fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.u16(self.last_received_seq_id)?;
        to.u16(self.received_seq_ids)?;
        if V::HAS_BITS {
            to.bool(self.for_seq_id.is_some())?;
        }
        if let Some(id) = self.for_seq_id {
            to.u16(id)?;
        }
        to.payload(&self.trailing)
    }

    pub(super) fn bit_len<V: Version>(&self) -> usize {
        let id = if self.for_seq_id.is_some() { 16 } else { 0 };
        self.trailing.bit_len().saturating_add(32).saturating_add(V::HAS_BITS.into()).saturating_add(id)
    }
}

impl<'a> From<Ack<'a>> for Packet<'a> {
    fn from(packet: Ack<'a>) -> Self {
        Self::Ack(packet)
    }
}
