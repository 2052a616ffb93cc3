use gamewire_machine::Record;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_wire::{Layer, Value, Writer};

use super::MessageBuf;
use crate::shared::field::Field as _;
use crate::shared::pack::{Text, pack_int};
use crate::shared::packet::MAX_PAYLOAD;

impl MessageBuf {
    /// Returns the message with another value of a field. The field can be an element of a list, such as `list[2]`,
    /// counted from 0. The value is an integer, `true` or `false`, or a text. Bytes after the field are not changed.
    ///
    /// Returns `None` if the message has no such field, the value does not fit its type, or the games would drop the
    /// result.
    #[must_use]
    pub fn with_field(&self, field: &str, value: &str) -> Option<Self> {
        let mut record = Record::new();
        self.dialect.trace_wire_message(&self.content, &mut record).ok()?;
        let node = match field.strip_suffix(']').and_then(|path| path.split_once('[')) {
            Some((list, index)) => {
                let is_list =
                    |node: &NodeRef<'_>| node.kind() == NodeKind::Group(Layer::List) && node.name() == list;
                record.nodes().find(is_list)?.children().nth(index.parse().ok()?)?
            }
            None => record.nodes().find(|node| node.kind() == NodeKind::Field && node.name() == field)?,
        };
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
    use crate::model::message::{Audience, ClientMessage};

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
    fn an_element_of_a_list_is_replaced() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../vectors/teeworlds/v07/game/ClStartInfo.json");
        let vector = std::fs::read_to_string(path).unwrap();
        let hex = vector.split("\"bytes\": \"").nth(1).unwrap().split('"').next().unwrap();
        let digits = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let content = (0..hex.len()).step_by(2).map(digits).collect();
        let message = MessageBuf { dialect: Dialect::V07, vital: true, content };
        let changed = message.with_field("skin_part_colors[2]", "77").unwrap();
        let mut record = Record::new();
        changed.dialect.trace_wire_message(&changed.content, &mut record).unwrap();
        let list = record.nodes().find(|node| node.name() == "skin_part_colors").unwrap();
        assert_eq!(list.children().nth(2).unwrap().value(), Some(Value::Int(77)));
        for field in ["skin_part_colors[6]", "skin_part_colors", "skin_part_colors[x]", "name[0]"] {
            assert_eq!(message.with_field(field, "77"), None, "{field}");
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
