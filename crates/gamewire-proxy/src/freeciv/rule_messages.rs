use std::sync::Arc;

use gamewire_freeciv::delta;
use gamewire_freeciv::follow::{Definitions, label};
use gamewire_freeciv::session::codec::PacketBuf;
use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::{Record, Role};
use gamewire_wire::{Layer, Span, Trace as _, Value};

use crate::rules::{RuleMessages, message_meta};

/// The packets of Freeciv, for [`Rules`](crate::rules::Rules). Rules see their numbers and texts, not their lists.
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
        for name in packet.field_names() {
            match packet.value(name) {
                Some(delta::Value::Bool(value)) => record.field(name, none, Value::Bool(value)),
                Some(delta::Value::Int(value) | delta::Value::Scaled(value)) => {
                    record.field(name, none, Value::Int(value));
                }
                Some(delta::Value::Text(text)) => record.field(name, none, Value::Text(&text)),
                _ => {}
            }
        }
        record.exit();
        record.exit();
        Some(message_meta("freeciv", None, from, 0))
    }

    fn with_field(&self, _: Role, packet: &PacketBuf, field: &str, value: &str) -> Option<PacketBuf> {
        let value = match packet.value(field)? {
            delta::Value::Bool(_) => delta::Value::Bool(value.parse().ok()?),
            delta::Value::Int(_) => delta::Value::Int(value.parse().ok()?),
            delta::Value::Scaled(_) => delta::Value::Scaled(value.parse().ok()?),
            delta::Value::Text(_) => delta::Value::Text(value.as_bytes().to_vec()),
            _ => return None,
        };
        let mut changed = packet.clone();
        changed.set_value(field, &value).then_some(changed)
    }
}
