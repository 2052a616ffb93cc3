use gamewire_machine::Record;
use gamewire_machine::record::NodeKind;
use gamewire_wire::{Value, Writer};

use super::MessageBuf;
use crate::shared::field::Field as _;
use crate::shared::pack::{Text, pack_int};
use crate::shared::packet::MAX_PAYLOAD;

impl MessageBuf {
    /// Returns the message with another value of a field: an integer, `true` or `false`, or a text. Bytes after the field
    /// stay as they are.
    ///
    /// Returns `None` if the message has no such field, the value does not fit its type, or the games would drop the
    /// result.
    #[must_use]
    pub fn with_field(&self, field: &str, value: &str) -> Option<Self> {
        let mut record = Record::new();
        self.dialect.trace_wire_message(&self.content, &mut record).ok()?;
        let node = record.nodes().find(|node| node.kind() == NodeKind::Field && node.name() == field)?;
        let range = node.span().byte_range();
        let (before, after) = (self.content.get(..range.start)?, self.content.get(range.end..)?);
        let mut buffer = [0; MAX_PAYLOAD];
        let mut to = Writer::new(&mut buffer);
        to.bytes(before).ok()?;
        match node.value()? {
            Value::Text(_) => Text::new(value).write(&mut to).ok()?,
            Value::Bool(_) => pack_int(value.parse::<bool>().ok()?.into(), &mut to).ok()?,
            Value::Int(_) | Value::Named { .. } | Value::Flags { .. } => {
                pack_int(value.parse().ok()?, &mut to).ok()?;
            }
            _ => return None,
        }
        to.bytes(after).ok()?;
        let changed = Self { content: to.written().to_vec(), ..self.clone() };
        let is_valid = self.dialect.decode_server_message(&changed.content).is_ok();
        is_valid.then_some(changed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;
    use crate::session::message::{Audience, ClientMessage};

    fn say(dialect: Dialect) -> MessageBuf {
        let mut buffer = [0; 100];
        let mut to = Writer::new(&mut buffer);
        let message = ClientMessage::Say { audience: Audience::All, text: Text::new("hello") };
        dialect.encode_client_message(&message, &mut to).unwrap();
        MessageBuf { dialect, vital: true, content: to.written().to_vec() }
    }

    #[test]
    fn a_text_and_a_number_of_a_message_are_replaced() {
        for dialect in [Dialect::V06, Dialect::Tken, Dialect::V07] {
            let field = if dialect == Dialect::V07 { ("mode", "2") } else { ("team", "true") };
            let changed = say(dialect).with_field("text", "good evening, all").unwrap();
            let changed = changed.with_field(field.0, field.1).unwrap();
            let expected =
                ClientMessage::Say { audience: Audience::Team, text: Text::new("good evening, all") };
            assert_eq!(dialect.decode_client_message(&changed.content), Ok(expected));
        }
    }

    #[test]
    fn a_value_that_does_not_fit_changes_nothing() {
        let message = say(Dialect::V07);
        let long = "x".repeat(MAX_PAYLOAD);
        for (field, value) in [("text", long.as_str()), ("mode", "9"), ("mode", "all"), ("nothing", "1")] {
            assert_eq!(message.with_field(field, value), None, "{field}");
        }
        assert_eq!(message.with_field("text", "a\0b"), None);
    }
}
