//! The acknowledgement of this version: two headers, of which one names a further message.

use gamewire_wire::{CodecError, Layer, Trace};

use crate::shared::definition::{Bits16, Definition, FieldDefinition, HeaderField, Ushort};
use crate::shared::header::Header;
use crate::shared::packet::{Ack, tell_trailing};
use crate::v20::message::{MessageReader, MessageWriter};

const LAST: &str = "last_received_seq_id";
const RECEIVED: &str = "received_seq_ids";
const FOR: &str = "for_seq_id";
const TRAILING: &str = "trailing";

/// It as data.
pub(crate) const DEFINITION: &Definition = &Definition {
    layer: Layer::Message,
    name: "ack",
    doc: &["What of the other side's reliable messages has arrived: `Ack` or `AckExtra`."],
    fields: &[
        FieldDefinition::new(LAST, "Ushort", &["The newest reliable message that has arrived."]),
        FieldDefinition::new(
            RECEIVED,
            "Bits16",
            &["Which of the 16 before that have arrived, the latest of them in the lowest bit."],
        ),
        FieldDefinition::new(FOR, "Ushort", &["`AckExtra`: the message that this answers."]),
        FieldDefinition::new(TRAILING, "Payload", &["Bits that mean nothing."]),
    ],
};

/// Reads what stands behind the header.
pub(crate) fn read<'a, T: Trace>(
    header: Header,
    from: &mut MessageReader<'a>,
    trace: &mut T,
) -> Result<Ack<'a>, CodecError> {
    let last_received_seq_id = Ushort::read(from, LAST, trace).map_err(|error| error.in_field(LAST))?;
    let received_seq_ids = Bits16::read(from, RECEIVED, trace).map_err(|error| error.in_field(RECEIVED))?;
    let for_seq_id = match header {
        Header::AckExtra => Some(Ushort::read(from, FOR, trace).map_err(|error| error.in_field(FOR))?),
        _ => None,
    };
    let trailing = from.rest();
    tell_trailing(TRAILING, &trailing, trace);
    Ok(Ack { last_received_seq_id, received_seq_ids, for_seq_id, trailing })
}

/// The header that says whether a further message is named.
pub(crate) const fn header(ack: &Ack<'_>) -> Header {
    if ack.for_seq_id.is_some() { Header::AckExtra } else { Header::Ack }
}

/// Writes what stands behind the header.
pub(crate) fn write(ack: &Ack<'_>, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
    to.u16(ack.last_received_seq_id)?;
    to.u16(ack.received_seq_ids)?;
    if let Some(id) = ack.for_seq_id {
        to.u16(id)?;
    }
    to.payload(&ack.trailing)
}
