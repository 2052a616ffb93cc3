use gamewire_machine::Role;
use gamewire_wire::CodecError;

use super::data::{check_size, encode};
use super::error::CommandError;
use crate::layout::{MessageKind, MessageLayouts, Values};
use crate::message::{MessageSendMode, Sendable, max_payload_bits};
use crate::raw::{MAX_PAYLOAD_SIZE, Payload};
use crate::types::Format;

/// A message that was parsed from `[reliable|unreliable|notify] ID VALUES`. It can be sent in either format.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingMessage {
    mode: MessageSendMode,
    id: Option<u16>,
    values: Values,
}

impl OutgoingMessage {
    /// Parses a message that `sender` sends. Without a mode, the message is reliable. A name of `layouts` may replace
    /// the id.
    ///
    /// # Errors
    /// [`CommandError`] if the text is not a message of this sender.
    pub fn parse(text: &str, layouts: &MessageLayouts, sender: Role) -> Result<Self, CommandError> {
        let (mode, text) = mode(text.trim());
        if mode == Some(MessageSendMode::Notify) && !begins_with_name(text) {
            let values = layouts.parse_values(text)?;
            return Ok(Self { mode: MessageSendMode::Notify, id: None, values });
        }
        let parsed = layouts.parse(text, sender)?;
        let values = parsed.values.clone();
        match (parsed.kind, mode) {
            (MessageKind::Message(_), Some(MessageSendMode::Notify)) => Err(CommandError::NotifyWithId),
            (MessageKind::Message(id), mode) => {
                Ok(Self { mode: mode.unwrap_or(MessageSendMode::Reliable), id: Some(id), values })
            }
            (MessageKind::Notify, None | Some(MessageSendMode::Notify)) => {
                Ok(Self { mode: MessageSendMode::Notify, id: None, values })
            }
            (MessageKind::Notify, Some(_)) => Err(CommandError::NotifyOnly),
            (MessageKind::Connect | MessageKind::Reject | MessageKind::Kick, _) => {
                Err(CommandError::NotAMessage)
            }
        }
    }

    /// Checks that the message can be sent in a format.
    ///
    /// # Errors
    /// [`CommandError::NoNotify`], [`CommandError::TooLong`] or [`CommandError::Value`] if it cannot.
    pub fn check(&self, format: Format) -> Result<(), CommandError> {
        if self.mode == MessageSendMode::Notify && format == Format::V20 {
            return Err(CommandError::NoNotify);
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

impl Sendable for OutgoingMessage {
    fn mode(&self) -> MessageSendMode {
        self.mode
    }

    fn id(&self) -> Option<u16> {
        self.id
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        encode(&self.values, format, scratch)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use crate::layout::MessageDefinition;

    use super::*;

    fn parsed(text: &str) -> Result<(MessageSendMode, Option<u16>, Vec<u8>), String> {
        let moves = MessageDefinition::new(MessageKind::Message(10), "player_move", ["tick: ushort"]);
        let state = MessageDefinition::new(MessageKind::Notify, "state", ["flags: byte"]);
        let hello = MessageDefinition::new(MessageKind::Connect, "hello", ["name: string"]);
        let layouts = MessageLayouts::new(&[], &[moves, state, hello]).unwrap();
        let message =
            OutgoingMessage::parse(text, &layouts, Role::Client).map_err(|error| error.to_string())?;
        let mut scratch = [0; 32];
        let payload = message.payload(Format::V21, &mut scratch).unwrap().to_vec();
        Ok((message.mode, message.id, payload))
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

    #[test]
    fn a_message_that_a_format_cannot_send_is_an_error() {
        let message =
            |text: &str| OutgoingMessage::parse(text, &MessageLayouts::default(), Role::Client).unwrap();
        let long = message(&format!("10 hex:{}", "00".repeat(1300)));
        for format in Format::ALL {
            assert_eq!(message("10 int:5").check(format), Ok(()), "{format}");
            assert!(
                matches!(long.check(format), Err(CommandError::TooLong { size: 1300, max }) if max < 1300)
            );
        }
        assert_eq!(message("notify byte:1").check(Format::V21), Ok(()));
        assert_eq!(message("notify byte:1").check(Format::V20), Err(CommandError::NoNotify));
    }
}
