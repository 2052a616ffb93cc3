use std::borrow::Cow;
use std::sync::Arc;

use gamewire_inspect::conversation::PacketMeta;
use gamewire_inspect::protocol::Catalog;
use gamewire_machine::{Record, Role};
use gamewire_riptide::layout::{MessageKind, MessageLayouts, Values};
use gamewire_riptide::raw::Payload;
use gamewire_riptide::raw::{V20, V21, Version, Writer};
use gamewire_riptide::{Format, Message, MessageSendMode};
use gamewire_wire::{Layer, Span, Trace as _, Value};

use crate::rules::{RuleMessages, check_name, message_meta};

/// Maximum size in bytes of the values that a rule writes.
const MAX_PAYLOAD: usize = 65_535;

/// Maximum size of the payload in a datagram. Over TCP, a payload may be longer.
const MAX_DATAGRAM: usize = 1_500;

/// The messages of Riptide, for [`Rules`](crate::rules::Rules). A rule that sets a field needs a layout of the
/// message.
#[derive(Clone, Debug)]
pub struct RiptideMessages {
    layouts: Arc<MessageLayouts>,
}

impl RiptideMessages {
    /// Returns the messages with the given layouts.
    pub const fn new(layouts: Arc<MessageLayouts>) -> Self {
        Self { layouts }
    }
}

impl RuleMessages for RiptideMessages {
    type Message = Message;

    fn add_names(&self, catalog: &mut Catalog) {
        catalog.add_riptide_messages(&self.layouts);
    }

    fn trace(&self, from: Role, message: &Message, record: &mut Record) -> Option<PacketMeta<'static>> {
        let format = message.format()?;
        let payload = message.payload(format).ok()?;
        let (none, whole) = (Span::bytes(0, 0), Span::bytes(0, payload.byte_len()));
        record.enter(Layer::Packet, "packet", none);
        record.enter(Layer::Message, mode_name(message.mode()), none);
        if let Some(id) = message.id() {
            record.field("id", none, Value::Int(id.into()));
        }
        let mut buffer = [0; MAX_DATAGRAM];
        let bytes = payload.copy_to(&mut buffer).map_or_else(|| payload.to_vec().into(), Cow::Borrowed);
        record.field("payload", whole, Value::Bytes(&bytes));
        record.exit();
        self.layouts.trace(kind(message), from, &payload, format, record);
        record.exit();
        Some(message_meta("riptide", None, from, payload.byte_len()))
    }

    fn check_field(&self, field: &str) -> Result<(), String> {
        if let Some((whole, _)) = field.split_once(['[', '.']) {
            return Err(format!(
                "set the whole field: `field = \"{whole}\"` and a value such as `value = \"[1,2]\"`"
            ));
        }
        let fields = self.layouts.messages().iter().flat_map(|message| &message.fields);
        check_name(field, "no message in --messages", fields.map(|field| field.name))
    }

    fn with_field(&self, from: Role, message: &Message, field: &str, value: &str) -> Option<Message> {
        let format = message.format()?;
        let payload = message.payload(format).ok()?;
        let mut fields = self.layouts.print_fields(kind(message), from, &payload, format)?;
        fields.iter_mut().find(|(name, _)| *name == field)?.1 = value.to_owned();
        let name = self.layouts.find(kind(message), from)?.name;
        let mut text = name.to_owned();
        for (name, value) in &fields {
            text.extend([" ", name, "=", value]);
        }
        let parsed = self.layouts.parse(&text, from).ok()?;
        let mut bytes = vec![0; MAX_PAYLOAD];
        let bits = match format {
            Format::V20 => write::<V20>(&parsed.values, &mut bytes)?,
            Format::V21 => write::<V21>(&parsed.values, &mut bytes)?,
        };
        Some(Message::received(format, message.mode(), message.id(), &Payload::with_bits(&bytes, bits)))
    }
}

fn kind(message: &Message) -> MessageKind {
    message.id().map_or(MessageKind::Notify, MessageKind::Message)
}

const fn mode_name(mode: MessageSendMode) -> &'static str {
    match mode {
        MessageSendMode::Reliable => "reliable",
        MessageSendMode::Unreliable => "unreliable",
        MessageSendMode::Notify => "notify",
    }
}

/// Writes values to `bytes`. Returns the number of bits.
fn write<V: Version>(values: &Values, bytes: &mut [u8]) -> Option<usize> {
    let space = bytes.len();
    let mut writer = Writer::<V>::with_max_size(bytes, space);
    values.write(&mut writer).ok()?;
    Some(writer.written_bits())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use core::time::Duration;

    use gamewire_riptide::layout::MessageDefinition;

    use super::*;
    use crate::hook::{Action, MessageHook as _};
    use crate::rules::Rules;

    fn layouts() -> Arc<MessageLayouts> {
        let chat = ["text: string", "scores: int[]", "is_loud: bool"];
        let chat = MessageDefinition::new(MessageKind::Message(1), "chat", chat);
        Arc::new(MessageLayouts::new(&[], &[chat]).unwrap())
    }

    fn messages() -> RiptideMessages {
        RiptideMessages::new(layouts())
    }

    fn chat(format: Format, text: &str) -> Message {
        let layouts = layouts();
        let values = layouts.parse(&format!("chat text={text:?} scores=[1,2] is_loud=true"), Role::Client);
        let (values, mut bytes) = (values.unwrap().values, vec![0; 100]);
        let bits = match format {
            Format::V20 => write::<V20>(&values, &mut bytes),
            Format::V21 => write::<V21>(&values, &mut bytes),
        };
        let payload = Payload::with_bits(&bytes, bits.unwrap());
        Message::received(format, MessageSendMode::Reliable, Some(1), &payload)
    }

    fn text(message: &Message) -> String {
        let format = message.format().unwrap();
        layouts().print(MessageKind::Message(1), Role::Client, &message.payload(format).unwrap(), format)
    }

    #[test]
    fn rules_drop_delay_repeat_and_set_what_they_match() {
        let rules = r#"
            [[rule]]
            match = 'riptide.chat.text contains "spam"'
            from = "client"
            action = "drop"

            [[rule]]
            match = 'riptide.chat.text == "rude"'
            action = "set"
            field = "text"
            value = '"***"'

            [[rule]]
            match = 'riptide.chat.text == "***"'
            action = "delay"
            milliseconds = 500

            [[rule]]
            match = "riptide.reliable.id == 1 and len(riptide.chat.text) > 9"
            action = "duplicate"
        "#;
        let mut rules = Rules::parse(rules, messages()).unwrap();
        for format in Format::ALL {
            for (from, line, action, left) in [
                (Role::Client, "buy spam", Action::Drop, "buy spam"),
                (Role::Server, "buy spam", Action::Forward, "buy spam"),
                (Role::Client, "rude", Action::Delay(Duration::from_millis(500)), "***"),
                (Role::Client, "a long line of chat", Action::Duplicate, "a long line of chat"),
                (Role::Client, "hello", Action::Forward, "hello"),
            ] {
                let mut message = chat(format, line);
                assert_eq!(rules.on_message(from, &mut message), action, "{line}");
                assert_eq!(text(&message), format!("chat text={left:?} scores=[1,2] is_loud=true"));
            }
        }
    }

    #[test]
    fn p1_rules_that_match_everything_or_nothing_and_messages_without_a_layout_do_no_harm() {
        let set = "[[rule]]\nmatch = \"direction == client or direction == server\"\naction = \"set\"\n";
        for value in ["field = \"scores\"\nvalue = \"[1\"", "field = \"is_loud\"\nvalue = \"5\""] {
            let mut rules = Rules::parse(&format!("{set}{value}"), messages()).unwrap();
            let mut message = chat(Format::V21, "kept");
            assert_eq!(rules.on_message(Role::Client, &mut message), Action::Forward);
            assert_eq!(text(&message), "chat text=\"kept\" scores=[1,2] is_loud=true", "{value}");
            let mut other =
                Message::received(Format::V20, MessageSendMode::Notify, None, &Payload::new(&[7]));
            assert_eq!(rules.on_message(Role::Server, &mut other), Action::Forward);
        }
        let mut none = Rules::parse("", messages()).unwrap();
        assert_eq!(none.on_message(Role::Client, &mut chat(Format::V21, "kept")), Action::Forward);
    }

    #[test]
    fn errors_name_the_rule_and_what_to_write() {
        for (rule, part) in [
            ("match = \"riptide.chat\"\naction = \"dance\"", "unknown variant `dance`"),
            ("match = \"riptide.nothing\"\naction = \"drop\"", "rule 1: invalid filter"),
            ("match = \"riptide.chat\"\naction = \"delay\"", "rule 1: missing milliseconds"),
            (
                "match = \"riptide.chat\"\naction = \"set\"\nfield = \"scores[1]\"\nvalue = \"5\"",
                "rule 1: cannot set scores[1]: set the whole field: `field = \"scores\"`",
            ),
            (
                "match = \"riptide.chat\"\naction = \"set\"\nfield = \"nothing\"\nvalue = \"5\"",
                "rule 1: cannot set nothing: no message in --messages has a field nothing",
            ),
            (
                "match = \"riptide.chat\"\naction = \"set\"\nfield = \"text\"",
                "rule 1: missing field or value",
            ),
            ("match = \"riptide.chat\"\naction = \"drop\"\nvalue = \"5\"", "rule 1: unexpected value"),
        ] {
            let error = Rules::parse(&format!("[[rule]]\n{rule}"), messages()).unwrap_err().to_string();
            assert!(error.contains(part), "{rule}: {error}");
        }
    }
}
