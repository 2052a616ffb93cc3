//! The ack: in 2.0 one of two headers, in 2.1 a flag announces the additional id.
//!
//! Senders of 2.1.0 to 2.1.2 append the id whatever the flag says. Receivers follow the flag, and so
//! does this reader; it keeps the rest as trailing bits.

use gamewire_wire::{CodecError, FieldDefinition, Trace, Value};

use super::trailing::{trace_payload, trace_trailing};
use crate::shared::definition::{Bits16, HeaderField, Ushort};
use crate::shared::header::Header;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::shared::warning;

const FLAG: &str = "has_for_seq_id";
const FOR: &str = "for_seq_id";
const TRAILING: &str = "trailing";

/// Definitions of the fields that are the same in both versions.
pub(crate) mod ack_fields {
    use super::FieldDefinition;

    pub(crate) const LAST_RECEIVED: FieldDefinition = FieldDefinition::new(
        "last_received_seq_id",
        "Ushort",
        &["The newest reliable message that has arrived."],
    );
    pub(crate) const RECEIVED: FieldDefinition = FieldDefinition::new(
        "received_seq_ids",
        "Bits16",
        &["Which of the 16 messages before that have arrived, the latest in the lowest bit."],
    );
}

/// Which of the peer's reliable messages have arrived.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ack<'a> {
    /// The newest reliable message that has arrived.
    pub last_received_seq_id: u16,
    /// Which of the 16 messages before that have arrived, the latest in the lowest bit.
    pub received_seq_ids: u16,
    /// The message that this acknowledges, if it is not the newest.
    pub for_seq_id: Option<u16>,
    /// Bits without a meaning; in 2.1.0 to 2.1.2 the 16 bits of an id that the flag denies.
    pub trailing: Payload<'a>,
}

impl<'a> Ack<'a> {
    /// Returns the header of this ack in a version.
    #[must_use]
    pub const fn header<V: Version>(&self) -> Header {
        if self.for_seq_id.is_some() && !V::ACK_HAS_FLAG { Header::AckExtra } else { Header::Ack }
    }

    /// Reads the fields after the header.
    #[inline]
    pub(super) fn read<V: Version, T: Trace>(
        header: Header,
        mut from: Reader<'a, V>,
        trace: &mut T,
    ) -> Result<Self, CodecError> {
        let field = |name: &'static str| move |error: CodecError| error.in_field(name);
        let last = ack_fields::LAST_RECEIVED.name;
        let last_received_seq_id = Ushort::read(&mut from, last, trace).map_err(field(last))?;
        let received = ack_fields::RECEIVED.name;
        let received_seq_ids = Bits16::read(&mut from, received, trace).map_err(field(received))?;
        let has_id = if V::ACK_HAS_FLAG {
            let start = from.position();
            let flag = from.bool().map_err(field(FLAG))?;
            trace.field(FLAG, from.span_since(start), Value::Bool(flag));
            flag
        } else {
            header == Header::AckExtra
        };
        let for_seq_id =
            if has_id { Some(Ushort::read(&mut from, FOR, trace).map_err(field(FOR))?) } else { None };
        let trailing = from.rest();
        if V::ACK_HAS_FLAG && !has_id && trailing.bit_len() >= 16 {
            trace_payload(TRAILING, &trailing, trace);
            trace.warning(trailing.span(), &warning::LONG_ACK);
        } else {
            trace_trailing(TRAILING, &trailing, trace);
        }
        Ok(Self { last_received_seq_id, received_seq_ids, for_seq_id, trailing })
    }

    /// Writes the fields after the header.
    #[inline]
    pub(super) fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        to.u16(self.last_received_seq_id)?;
        to.u16(self.received_seq_ids)?;
        if V::ACK_HAS_FLAG {
            to.bool(self.for_seq_id.is_some())?;
        }
        if let Some(id) = self.for_seq_id {
            to.u16(id)?;
        }
        to.payload(&self.trailing)
    }
}
