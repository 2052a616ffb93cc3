use gamewire_machine::Role;
use gamewire_riptide::layout::{MessageKind, MessageLayouts, Values};
use gamewire_riptide::message::max_payload_bits;
use gamewire_riptide::raw::MAX_PAYLOAD_SIZE;
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, MessageSendMode, Sendable};
use gamewire_wire::CodecError;

use super::user_data::{check_size, written};

/// A message on the command line: `[reliable|unreliable|notify] ID VALUES`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MessageArg {
    mode: MessageSendMode,
    id: Option<u16>,
    values: Values,
}

impl MessageArg {
    /// Parses a message that `sender` sends. Without a mode, the message is reliable. A name of `layouts` may replace
    /// the id. Returns an error message if the text is invalid.
    pub(crate) fn parse(text: &str, layouts: &MessageLayouts, sender: Role) -> Result<Self, String> {
        let (mode, text) = mode(text.trim());
        if mode == Some(MessageSendMode::Notify) && !begins_with_name(text) {
            let values = layouts.parse_values(text).map_err(|error| error.to_string())?;
            return Ok(Self { mode: MessageSendMode::Notify, id: None, values });
        }
        let typed = layouts.parse(text, sender).map_err(|error| error.to_string())?;
        let values = typed.values.clone();
        match (typed.kind, mode) {
            (MessageKind::Message(_), Some(MessageSendMode::Notify)) => {
                Err("a notify message has no id; write notify and the values".into())
            }
            (MessageKind::Message(id), mode) => {
                Ok(Self { mode: mode.unwrap_or(MessageSendMode::Reliable), id: Some(id), values })
            }
            (MessageKind::Notify, None | Some(MessageSendMode::Notify)) => {
                Ok(Self { mode: MessageSendMode::Notify, id: None, values })
            }
            (MessageKind::Notify, Some(_)) => Err("this is a notify message; write notify or no mode".into()),
            (MessageKind::Connect | MessageKind::Reject | MessageKind::Kick, _) => {
                Err("connect, reject and kick data cannot be sent as a message".into())
            }
        }
    }
}

impl MessageArg {
    /// Checks that the message can be sent in a format, or returns an error message.
    pub(crate) fn check(&self, format: Format) -> Result<(), String> {
        if self.mode == MessageSendMode::Notify && format == Format::V20 {
            return Err("format 2.0 has no notify messages; use reliable or unreliable".into());
        }
        check_size(&self.values, format, max_payload_bits(format, self.mode, self.id, MAX_PAYLOAD_SIZE))
    }
}

/// Splits the mode from a text, if the text begins with one.
fn mode(text: &str) -> (Option<MessageSendMode>, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match word {
        "reliable" => (Some(MessageSendMode::Reliable), rest),
        "unreliable" => (Some(MessageSendMode::Unreliable), rest),
        "notify" => (Some(MessageSendMode::Notify), rest),
        _ => (None, text),
    }
}

/// Returns true if a text starts with an id or a name, not with a typed value.
fn begins_with_name(text: &str) -> bool {
    text.split_whitespace().next().is_some_and(|word| !word.contains(':'))
}

impl Sendable for MessageArg {
    fn mode(&self) -> MessageSendMode {
        self.mode
    }

    fn id(&self) -> Option<u16> {
        self.id
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        written(&self.values, format, scratch)
    }
}

#[cfg(test)]
mod tests {
    use gamewire_riptide::layout::MessageDefinition;

    use super::*;

    fn parsed(text: &str) -> Result<(MessageSendMode, Option<u16>, Vec<u8>), String> {
        let moves = MessageDefinition::new(MessageKind::Message(10), "player_move", ["tick: ushort"]);
        let state = MessageDefinition::new(MessageKind::Notify, "state", ["flags: byte"]);
        let hello = MessageDefinition::new(MessageKind::Connect, "hello", ["name: string"]);
        let layouts = MessageLayouts::new(&[], &[moves, state, hello]).unwrap();
        let said = MessageArg::parse(text, &layouts, Role::Client)?;
        let mut scratch = [0; 32];
        let payload = said.payload(Format::V21, &mut scratch).unwrap().to_vec();
        Ok((said.mode, said.id, payload))
    }

    #[test]
    fn a_message_has_a_mode_an_id_and_values() {
        use MessageSendMode::{Notify, Reliable, Unreliable};
        for (text, mode, id, bytes) in [
            ("10 int:5", Reliable, Some(10), &[5, 0, 0, 0][..]),
            (" reliable 10 int:5 ", Reliable, Some(10), &[5, 0, 0, 0]),
            ("unreliable 65535", Unreliable, Some(65535), &[]),
            ("unreliable player_move tick=7", Unreliable, Some(10), &[7, 0]),
            ("notify byte:1 hex:0aff", Notify, None, &[1, 0x0a, 0xff]),
            ("notify", Notify, None, &[]),
            ("notify state flags=3", Notify, None, &[3]),
            ("state flags=3", Notify, None, &[3]),
        ] {
            assert_eq!(parsed(text), Ok((mode, id, bytes.to_vec())), "{text}");
        }
    }

    #[test]
    fn errors_in_messages_are_one_sentence() {
        for (text, part) in [
            ("", "expected an id or the name of a message"),
            ("reliable", "expected an id or the name of a message"),
            ("70000", "from 0 to 65535"),
            ("jump", "one of player_move, state"),
            ("10 int:x", "expected a whole number"),
            ("notify 10 int:5", "a notify message has no id"),
            ("reliable state flags=3", "this is a notify message"),
            ("hello name=me", "cannot be sent as a message"),
            ("player_move", "missing: tick"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(part) && error.lines().count() == 1, "{text}: {error}");
        }
    }
}
