use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::{Catalog, trace_teeworlds_message};
use gamewire_machine::{Record, Role};
use gamewire_teeworlds::MessageBuf;
use gamewire_wire::{Layer, Span, Trace as _};

use crate::rules::{RuleMessages, message_meta};

/// The messages of Teeworlds, for [`Rules`](crate::rules::Rules).
#[derive(Clone, Copy, Debug, Default)]
pub struct TeeworldsMessages;

impl RuleMessages for TeeworldsMessages {
    type Message = MessageBuf;

    fn add_names(&self, _: &mut Catalog) {}

    fn trace(&self, from: Role, message: &MessageBuf, record: &mut Record) -> Option<PacketMeta<'static>> {
        record.enter(Layer::Packet, "packet", Span::bytes(0, 0));
        let traced = trace_teeworlds_message(message.dialect, &message.content, record);
        record.exit();
        traced.ok()?;
        Some(message_meta("teeworlds", Some(message.dialect.name()), from, message.content.len()))
    }

    fn with_field(&self, _: Role, message: &MessageBuf, field: &str, value: &str) -> Option<MessageBuf> {
        message.with_field(field, value)
    }
}
