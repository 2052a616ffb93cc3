//! Messages of the demo's Riptide clients. Their values are the same in both formats.

use gamewire_riptide::Message;
use gamewire_riptide::layout::{MessageDefinition, MessageKind, MessageLayouts};

const POSITION: u16 = 1;
const LINE: u16 = 2;

/// A client's position.
#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = POSITION, mode = "unreliable")]
pub(super) struct Position {
    pub(super) tick: u32,
    pub(super) x: f32,
    pub(super) y: f32,
}

/// A chat line to all other clients.
#[derive(Clone, Debug, PartialEq, Message)]
#[message(id = LINE, mode = "reliable")]
pub(super) struct ChatLine {
    pub(super) number: u32,
    pub(super) text: String,
}

/// Returns true if the message has a known id and can be decoded.
pub(super) fn is_known(message: &Message) -> bool {
    match message.id() {
        Some(POSITION) => message.read_as::<Position>().is_ok(),
        Some(LINE) => message.read_as::<ChatLine>().is_ok(),
        _ => false,
    }
}

/// Returns the layouts of the messages, for the follower.
pub(super) fn layouts() -> MessageLayouts {
    let position = MessageDefinition::new(
        MessageKind::Message(POSITION),
        "position",
        ["tick: uint", "x: float", "y: float"],
    );
    let line = MessageDefinition::new(MessageKind::Message(LINE), "line", ["number: uint", "text: string"]);
    // A test checks that the layouts are valid.
    MessageLayouts::new(&[], &[position, line]).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use gamewire_machine::Role;
    use gamewire_riptide::raw::Payload;
    use gamewire_riptide::{Format, MessageSendMode, Sendable};

    use super::*;

    fn printed(word: &impl Sendable, format: Format) -> String {
        let mut scratch = [0; 100];
        let payload = word.payload(format, &mut scratch).unwrap();
        let message = Message::received(format, MessageSendMode::Reliable, word.id(), &payload);
        assert!(is_known(&message));
        layouts().print(MessageKind::Message(word.id().unwrap()), Role::Client, &payload, format)
    }

    #[test]
    fn messages_match_their_layouts_in_both_formats() {
        for format in Format::ALL {
            let position = Position { tick: 7, x: 1.5, y: -2.0 };
            assert_eq!(printed(&position, format), "position tick=7 x=1.5 y=-2");
            assert_eq!(
                printed(&ChatLine { number: 1, text: "hi".into() }, format),
                "line number=1 text=\"hi\""
            );
            let cut =
                Message::received(format, MessageSendMode::Reliable, Some(LINE), &Payload::new(&[1, 2]));
            assert!(!is_known(&cut));
        }
    }
}
