use std::sync::Arc;

use gamewire_freeciv::follow::{Definitions, label};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Span, Trace as _};

use crate::rules::{RuleMessages, message_meta};

/// The packets of Freeciv, for [`Rules`](crate::rules::Rules). Rules see all fields, also the elements of lists
/// and the parts of structures, as `gamewire inspect` does.
#[derive(Clone, Debug)]
pub struct FreecivMessages {
    definitions: Arc<Definitions>,
}

impl FreecivMessages {
    /// Returns the packets of these definitions.
    pub const fn new(definitions: Arc<Definitions>) -> Self {
        Self { definitions }
    }
}

impl RuleMessages for FreecivMessages {
    type Message = PacketBuf;

    fn add_names(&self, catalog: &mut Catalog) {
        catalog.add_freeciv_packets(&self.definitions);
    }

    fn trace(&self, from: Role, packet: &PacketBuf, record: &mut Record) -> Option<PacketMeta<'static>> {
        let none = Span::bytes(0, 0);
        record.enter(Layer::Packet, "packet", none);
        record.enter(Layer::Message, &label(packet.name()), none);
        packet.trace_fields(record);
        record.exit();
        record.exit();
        Some(message_meta("freeciv", None, from, 0))
    }

    fn check_field(&self, field: &str) -> Result<(), String> {
        let end = field.find(['[', '.']).unwrap_or(field.len());
        let name = field.get(..end).unwrap_or(field);
        let mut packets = self.definitions.iter().flat_map(|definition| &definition.protocol().packets);
        let is_known = packets.any(|packet| packet.fields.iter().any(|known| known.name == name));
        if is_known { Ok(()) } else { Err(format!("no packet has a field {name}")) }
    }

    fn with_field(&self, _: Role, packet: &PacketBuf, field: &str, value: &str) -> Option<PacketBuf> {
        let mut changed = packet.clone();
        changed.set_text(field, value).then_some(changed)
    }
}
