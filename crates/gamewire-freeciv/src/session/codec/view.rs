use gamewire_schema::ir::{Packet, Protocol};

use crate::delta::Value;
use crate::v30::OwnedPacket;

/// Which packet of Freeciv 3.0 has the name of another version's, and which of its fields have the
/// names of that one's.
#[derive(Debug)]
pub(super) struct View {
    number: u16,
    /// From which field to which.
    fields: Vec<(usize, usize)>,
}

impl View {
    pub(super) fn new(packet: &Packet, known: &Protocol) -> Option<Self> {
        let same = known.packet_named(&packet.name)?;
        let field = |(at, field): (usize, &gamewire_schema::ir::Field)| {
            same.field_index(&field.name).map(|same| (at, same))
        };
        let fields = packet.fields.iter().enumerate().filter_map(field).collect();
        Some(Self { number: same.number, fields })
    }

    /// The values of the other version's packet as one of Freeciv 3.0: fields that do not fit stay as
    /// they are at the start.
    pub(super) fn fill(&self, values: &[Value]) -> Option<OwnedPacket> {
        let mut packet = OwnedPacket::blank(self.number)?;
        let Some(fields) = packet.fields_mut() else { return Some(packet) };
        for (from, to) in &self.fields {
            if let Some(value) = values.get(*from).filter(|value| **value != Value::Absent)
                && fields.set_value(*to, value).is_err()
            {
                // What half fitted is as at the start, too.
                let _ = fields.set_value(*to, &Value::Absent);
            }
        }
        Some(packet)
    }
}
