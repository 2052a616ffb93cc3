use gamewire_schema::ir::{Packet, Protocol};

use crate::delta::Value;
use crate::v30::OwnedPacket;

/// Maps a packet of another version to the packet of Freeciv 3.0 with the same name, and its fields by their names.
#[derive(Debug)]
pub(super) struct View {
    number: u16,
    /// Indices of the fields: from, to.
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

    /// Returns the values of the other version as a packet of Freeciv 3.0. Fields whose values do not fit keep their
    /// defaults.
    pub(super) fn fill(&self, values: &[Value]) -> Option<OwnedPacket> {
        let mut packet = OwnedPacket::blank(self.number)?;
        let fields = packet.fields_mut();
        for (from, to) in &self.fields {
            if let Some(value) = values.get(*from).filter(|value| **value != Value::Absent)
                && fields.set_value(*to, value).is_err()
            {
                // A value that fits in part becomes the default, too.
                let _ = fields.set_value(*to, &Value::Absent);
            }
        }
        Some(packet)
    }
}
