use core::time::Duration;
use std::sync::Arc;

use gamewire_inspect::conversation::{PacketMeta, PacketSource, StreamOffset};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::Catalog;
use gamewire_inspect::time::DisplayTime;
use gamewire_machine::{Record, Role};
use gamewire_riptide::layout::{MessageKind, MessageLayouts, Values};
use gamewire_riptide::raw::{Payload, V20, V21, Version, Writer};
use gamewire_riptide::{Format, Message, MessageSendMode};
use gamewire_wire::{Layer, Span, Trace as _, Value};
use serde::Deserialize;
use thiserror::Error;

use super::hook::{Action, MessageHook};
use crate::Side;

/// Maximum bytes of the values of a message that a rule writes.
const PAYLOAD: usize = 65_535;

/// Rules for messages: which they match, and what is done with them.
///
/// They are tables of a TOML file:
///
/// ```toml
/// [[rule]]
/// match = 'riptide.chat.text contains "spam"'
/// from = "client"
/// action = "drop"
///
/// [[rule]]
/// match = "riptide.chat"
/// action = "set"
/// field = "text"
/// value = "***"
///
/// [[rule]]
/// match = "riptide.reliable.id == 7"
/// action = "delay"
/// milliseconds = 500
/// ```
///
/// `match` is a filter. `action` is `drop`, `delay`, `duplicate` or `set`, which needs a layout of the message. The first
/// rule that matches and does not set a field decides; a message that no rule matches is sent on.
#[derive(Clone, Debug)]
pub struct Rules {
    rules: Arc<[Rule]>,
    layouts: Arc<MessageLayouts>,
    record: Record,
}

#[derive(Debug)]
struct Rule {
    filter: Filter,
    from: Option<Side>,
    action: RuleAction,
}

#[derive(Debug)]
enum RuleAction {
    Decide(Action),
    Set { field: String, value: String },
}

/// Why rules cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The text is not the TOML of rules.
    #[error("{0}")]
    Toml(String),
    /// A rule is not valid.
    #[error("rule {number}: {reason}")]
    Rule {
        /// Number of the rule, from 1.
        number: usize,
        /// What is wrong with it, and what to write.
        reason: String,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    rule: Vec<Table>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    r#match: String,
    from: Option<Sender>,
    action: ActionName,
    field: Option<String>,
    value: Option<String>,
    milliseconds: Option<u32>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Sender {
    Client,
    Server,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ActionName {
    Drop,
    Delay,
    Duplicate,
    Set,
}

impl Rules {
    /// Parses rules. The filters may use the names of `layouts`.
    ///
    /// # Errors
    /// The text is not TOML, or a rule is not valid.
    pub fn parse(text: &str, layouts: Arc<MessageLayouts>) -> Result<Self, RulesError> {
        let file: File = toml::from_str(text).map_err(|error| RulesError::Toml(error.to_string()))?;
        let mut catalog = Catalog::with_all_protocols();
        catalog.add_riptide_messages(&layouts);
        let rules = file.rule.into_iter().zip(1..).map(|(table, number)| {
            Rule::new(table, &catalog).map_err(|reason| RulesError::Rule { number, reason })
        });
        Ok(Self { rules: rules.collect::<Result<_, _>>()?, layouts, record: Record::new() })
    }

    /// Records a message as a follower would, as far as its content goes.
    fn trace(&mut self, from: Role, message: &Message, payload: &Payload<'_>, format: Format) {
        let record = &mut self.record;
        let (none, whole) = (Span::bytes(0, 0), Span::bytes(0, payload.byte_len()));
        record.clear();
        record.enter(Layer::Packet, "packet", none);
        record.enter(Layer::Message, mode_name(message.mode()), none);
        if let Some(id) = message.id() {
            record.field("id", none, Value::Int(id.into()));
        }
        record.field("payload", whole, Value::Bytes(&payload.to_vec()));
        record.exit();
        self.layouts.trace(kind(message), from, payload, format, record);
        record.exit();
    }

    /// Returns the message with another value of a field; `None` if it has no such field, or the value does not fit.
    fn with_field(
        &self,
        from: Role,
        message: &Message,
        (payload, format): (&Payload<'_>, Format),
        (field, value): (&str, &str),
    ) -> Option<Message> {
        let mut fields = self.layouts.print_fields(kind(message), from, payload, format)?;
        fields.iter_mut().find(|(name, _)| *name == field)?.1 = value.to_owned();
        let name = self.layouts.find(kind(message), from)?.name;
        let mut text = name.to_owned();
        for (name, value) in &fields {
            text.extend([" ", name, "=", value]);
        }
        let parsed = self.layouts.parse(&text, from).ok()?;
        let mut bytes = vec![0; PAYLOAD];
        let bits = match format {
            Format::V20 => write::<V20>(&parsed.values, &mut bytes)?,
            Format::V21 => write::<V21>(&parsed.values, &mut bytes)?,
        };
        Some(Message::received(format, message.mode(), message.id(), &Payload::with_bits(&bytes, bits)))
    }
}

impl MessageHook for Rules {
    fn on_message(&mut self, from: Side, message: &mut Message) -> Action {
        let Some(format) = message.format() else { return Action::Forward };
        let role = if from == Side::Client { Role::Client } else { Role::Server };
        let rules = Arc::clone(&self.rules);
        for rule in rules.iter().filter(|rule| rule.from.is_none_or(|side| side == from)) {
            let whole = message.clone();
            let Ok(payload) = whole.payload(format) else { return Action::Forward };
            self.trace(role, &whole, &payload, format);
            if !rule.filter.holds(meta(role, payload.byte_len()), &self.record) {
                continue;
            }
            match &rule.action {
                RuleAction::Decide(action) => return *action,
                RuleAction::Set { field, value } => {
                    if let Some(changed) = self.with_field(role, &whole, (&payload, format), (field, value)) {
                        *message = changed;
                    }
                }
            }
        }
        Action::Forward
    }
}

impl Rule {
    fn new(table: Table, catalog: &Catalog) -> Result<Self, String> {
        let Table { r#match, from, action, field, value, milliseconds } = table;
        let filter = Filter::parse(&r#match, catalog).map_err(|error| format!("invalid filter: {error}"))?;
        let extra = |name: &str, is: bool| match is {
            true => Err(format!("unexpected {name}; remove it")),
            false => Ok(()),
        };
        let is_set = action == ActionName::Set;
        extra("field", !is_set && field.is_some())?;
        extra("value", !is_set && value.is_some())?;
        extra("milliseconds", action != ActionName::Delay && milliseconds.is_some())?;
        let action = match (action, field.zip(value), milliseconds) {
            (ActionName::Drop, ..) => RuleAction::Decide(Action::Drop),
            (ActionName::Duplicate, ..) => RuleAction::Decide(Action::Duplicate),
            (ActionName::Delay, _, Some(time)) => {
                RuleAction::Decide(Action::Delay(Duration::from_millis(time.into())))
            }
            (ActionName::Delay, _, None) => {
                return Err("missing milliseconds: add `milliseconds = 500`".into());
            }
            (ActionName::Set, Some((field, value)), _) => RuleAction::Set { field, value },
            (ActionName::Set, None, _) => {
                return Err("missing field or value: add `field = \"text\"` and `value = \"hi\"`".into());
            }
        };
        let from = from.map(|sender| match sender {
            Sender::Client => Side::Client,
            Sender::Server => Side::Server,
        });
        Ok(Self { filter, from, action })
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

/// Returns what a filter may ask of a message that is in no packet: its sender and its length.
const fn meta(sender: Role, length: usize) -> PacketMeta<'static> {
    PacketMeta {
        number: 0,
        protocol: "riptide",
        dialect: None,
        sender,
        length,
        time: DisplayTime::Seconds(0),
        source: PacketSource::File(StreamOffset { offset: 0, inflated: None }),
    }
}

/// Writes values, and returns the number of bits.
fn write<V: Version>(values: &Values, bytes: &mut [u8]) -> Option<usize> {
    let space = bytes.len();
    let mut writer = Writer::<V>::with_max_size(bytes, space);
    values.write(&mut writer).ok()?;
    Some(writer.written_bits())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_riptide::layout::MessageDefinition;

    use super::*;

    fn layouts() -> Arc<MessageLayouts> {
        let chat = ["text: string", "scores: int[]", "is_loud: bool"];
        let chat = MessageDefinition::new(MessageKind::Message(1), "chat", chat);
        Arc::new(MessageLayouts::new(&[], &[chat]).unwrap())
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
        let mut rules = Rules::parse(rules, layouts()).unwrap();
        for format in Format::ALL {
            for (from, line, action, left) in [
                (Side::Client, "buy spam", Action::Drop, "buy spam"),
                (Side::Server, "buy spam", Action::Forward, "buy spam"),
                (Side::Client, "rude", Action::Delay(Duration::from_millis(500)), "***"),
                (Side::Client, "a long line of chat", Action::Duplicate, "a long line of chat"),
                (Side::Client, "hello", Action::Forward, "hello"),
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
        for value in ["field = \"scores\"\nvalue = \"[1\"", "field = \"nothing\"\nvalue = \"5\""] {
            let mut rules = Rules::parse(&format!("{set}{value}"), layouts()).unwrap();
            let mut message = chat(Format::V21, "kept");
            assert_eq!(rules.on_message(Side::Client, &mut message), Action::Forward);
            assert_eq!(text(&message), "chat text=\"kept\" scores=[1,2] is_loud=true", "{value}");
            let mut other =
                Message::received(Format::V20, MessageSendMode::Notify, None, &Payload::new(&[7]));
            assert_eq!(rules.on_message(Side::Server, &mut other), Action::Forward);
        }
        let mut none = Rules::parse("", layouts()).unwrap();
        assert_eq!(none.on_message(Side::Client, &mut chat(Format::V21, "kept")), Action::Forward);
    }

    #[test]
    fn errors_name_the_rule_and_what_to_write() {
        for (rule, part) in [
            ("match = \"riptide.chat\"\naction = \"dance\"", "unknown variant `dance`"),
            ("match = \"riptide.nothing\"\naction = \"drop\"", "rule 1: invalid filter"),
            ("match = \"riptide.chat\"\naction = \"delay\"", "rule 1: missing milliseconds"),
            (
                "match = \"riptide.chat\"\naction = \"set\"\nfield = \"text\"",
                "rule 1: missing field or value",
            ),
            ("match = \"riptide.chat\"\naction = \"drop\"\nvalue = \"5\"", "rule 1: unexpected value"),
        ] {
            let error = Rules::parse(&format!("[[rule]]\n{rule}"), layouts()).unwrap_err().to_string();
            assert!(error.contains(part), "{rule}: {error}");
        }
    }
}
