//! The acknowledgement of this version: a flag says whether a further message is named.
//!
//! The senders of 2.1.0 to 2.1.2 append the id whatever the flag says. Readers go by the flag, and
//! so does this one; what follows is kept.

use gamewire_wire::{CodecError, Layer, Trace, Value};

use crate::shared::definition::{Bits16, Definition, FieldDefinition, HeaderField, Ushort};
use crate::shared::header::Header;
use crate::shared::packet::{Ack, tell_payload, tell_trailing};
use crate::shared::warning;
use crate::v21::message::{MessageReader, MessageWriter};

const LAST: &str = "last_received_seq_id";
const RECEIVED: &str = "received_seq_ids";
const FLAG: &str = "has_for_seq_id";
const FOR: &str = "for_seq_id";
const TRAILING: &str = "trailing";

/// It as data.
pub(crate) const DEFINITION: &Definition = &Definition {
    layer: Layer::Message,
    name: "ack",
    doc: &["What of the other side's reliable messages has arrived."],
    fields: &[
        FieldDefinition::new(LAST, "Ushort", &["The newest reliable message that has arrived."]),
        FieldDefinition::new(
            RECEIVED,
            "Bits16",
            &["Which of the 16 before that have arrived, the latest of them in the lowest bit."],
        ),
        FieldDefinition::new(FLAG, "Bool", &["Whether it answers another message."]),
        FieldDefinition::new(FOR, "Ushort", &["The message that this answers."]),
        FieldDefinition::new(
            TRAILING,
            "Payload",
            &["Bits that mean nothing; in 2.1.0 to 2.1.2 the 16 of an id that the flag denies."],
        ),
    ],
};

/// Reads what stands behind the header.
pub(crate) fn read<'a, T: Trace>(
    _: Header,
    from: &mut MessageReader<'a>,
    trace: &mut T,
) -> Result<Ack<'a>, CodecError> {
    let last_received_seq_id = Ushort::read(from, LAST, trace).map_err(|error| error.in_field(LAST))?;
    let received_seq_ids = Bits16::read(from, RECEIVED, trace).map_err(|error| error.in_field(RECEIVED))?;
    let start = from.position();
    let is_extra = from.bool().map_err(|error| error.in_field(FLAG))?;
    trace.field(FLAG, from.span_since(start), Value::Bool(is_extra));
    let for_seq_id = match is_extra {
        true => Some(Ushort::read(from, FOR, trace).map_err(|error| error.in_field(FOR))?),
        false => None,
    };
    let trailing = from.rest();
    if !is_extra && trailing.bit_len() >= 16 {
        tell_payload(TRAILING, &trailing, trace);
        trace.warning(trailing.span(), &warning::LONG_ACK);
    } else {
        tell_trailing(TRAILING, &trailing, trace);
    }
    Ok(Ack { last_received_seq_id, received_seq_ids, for_seq_id, trailing })
}

/// The one header that there is.
pub(crate) const fn header(_: &Ack<'_>) -> Header {
    Header::Ack
}

/// Writes what stands behind the header.
pub(crate) fn write(ack: &Ack<'_>, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
    to.u16(ack.last_received_seq_id)?;
    to.u16(ack.received_seq_ids)?;
    to.bool(ack.for_seq_id.is_some())?;
    if let Some(id) = ack.for_seq_id {
        to.u16(id)?;
    }
    to.payload(&ack.trailing)
}
