use std::cell::Cell;

use gamewire_machine::Role;
use gamewire_riptide::layout::{MessageKind, MessageLayouts, TranscodeError};
use gamewire_riptide::message::Message;
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, MessageSendMode, Sendable};
use gamewire_wire::{CodecError, Found};

/// A relayed message. For a client of the other format, it is translated if it has a layout.
#[derive(Debug)]
pub(super) struct Forwarded<'a> {
    message: &'a Message,
    layouts: &'a MessageLayouts,
    /// True if the message could not be translated.
    is_untranslatable: Cell<bool>,
}

impl<'a> Forwarded<'a> {
    pub(super) const fn new(message: &'a Message, layouts: &'a MessageLayouts) -> Self {
        Self { message, layouts, is_untranslatable: Cell::new(false) }
    }

    /// Returns true if a client did not receive the message because it could not be translated.
    pub(super) const fn is_untranslatable(&self) -> bool {
        self.is_untranslatable.get()
    }

    /// Translates the message from the format `from` to the format `to`, in `scratch`. Returns `None` if no layout
    /// describes the message.
    fn translated<'s>(
        &self,
        from: Format,
        to: Format,
        scratch: &'s mut [u8],
    ) -> Option<Result<Payload<'s>, CodecError>> {
        let kind = MessageKind::Message(self.message.id()?);
        let payload = self.message.payload(from).ok()?;
        let mut bytes = Vec::new();
        match self.layouts.transcode(kind, Role::Client, &payload, from, to, &mut bytes) {
            Ok(bits) => {
                let space = scratch.len();
                let Some(target) = scratch.get_mut(..bytes.len()) else {
                    return Some(Err(CodecError::new(space, "a shorter message", Found::End)));
                };
                target.copy_from_slice(&bytes);
                Some(Ok(Payload::with_bits(target, bits)))
            }
            Err(TranscodeError::Unknown) => None,
            Err(TranscodeError::Read(error) | TranscodeError::Write(error)) => Some(Err(error)),
        }
    }
}

impl Sendable for Forwarded<'_> {
    fn mode(&self) -> MessageSendMode {
        self.message.mode()
    }

    fn id(&self) -> Option<u16> {
        self.message.id()
    }

    fn payload<'a>(&'a self, format: Format, scratch: &'a mut [u8]) -> Result<Payload<'a>, CodecError> {
        let own = self.message.format().unwrap_or(format);
        let translated = if own == format { None } else { self.translated(own, format, scratch) };
        let payload = translated.unwrap_or_else(|| self.message.payload(format));
        self.is_untranslatable.set(self.is_untranslatable.get() || payload.is_err());
        payload
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_riptide::layout::MessageDefinition;

    use super::*;

    fn forwarded(id: u16, from: Format, bytes: &[u8], to: Format) -> Result<Vec<u8>, CodecError> {
        let door = MessageDefinition::new(
            MessageKind::Message(1),
            "door",
            ["id: byte", "is_open: bool", "is_locked: bool"],
        );
        let number = MessageDefinition::new(MessageKind::Message(2), "number", ["value: var_ulong"]);
        let layouts = MessageLayouts::new(&[], &[door, number]).unwrap();
        let message = Message::received(from, MessageSendMode::Reliable, Some(id), &Payload::new(bytes));
        let forwarded = Forwarded::new(&message, &layouts);
        let mut scratch = [0; 64];
        let payload = forwarded.payload(to, &mut scratch).map(|payload| payload.to_vec());
        assert_eq!(forwarded.is_untranslatable(), payload.is_err());
        payload
    }

    #[test]
    fn a_message_is_translated_by_its_layout() {
        assert_eq!(forwarded(1, Format::V21, &[7, 0b10], Format::V20), Ok(vec![7, 0, 1]));
        assert_eq!(forwarded(1, Format::V20, &[7, 0, 1], Format::V21), Ok(vec![7, 0b10]));
        assert_eq!(forwarded(1, Format::V21, &[7, 0b10], Format::V21), Ok(vec![7, 0b10]), "as it is");
    }

    #[test]
    fn a_message_without_a_layout_is_passed_on_as_bytes() {
        assert_eq!(forwarded(3, Format::V21, &[7, 2], Format::V20), Ok(vec![7, 2]));
    }

    #[test]
    fn messages_that_the_other_format_cannot_encode_are_not_sent() {
        assert!(forwarded(2, Format::V21, &[0x85, 0x01], Format::V20).is_err());
        assert!(forwarded(1, Format::V20, &[7], Format::V21).is_err(), "it is not what its layout says");
    }
}
