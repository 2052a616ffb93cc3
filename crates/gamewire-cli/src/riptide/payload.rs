use std::fmt::{self, Write as _};

use gamewire_inspect::render::Fields;
use gamewire_machine::record::{NodeKind, NodeRef};
use gamewire_machine::{Record, Role};
use gamewire_riptide::layout::{MessageKind, MessageLayouts};
use gamewire_riptide::message::Message;
use gamewire_riptide::raw::Payload;
use gamewire_riptide::{Format, MessageSendMode};
use gamewire_wire::{Layer, Value as Found};
use serde_json::Value as Json;

use crate::output::{OutputEvent, Value};

/// A formatter for application data, with values by name if a layout describes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PayloadFormatter<'l> {
    pub(crate) layouts: &'l MessageLayouts,
    /// The sender of the data.
    pub(crate) sender: Role,
}

impl PayloadFormatter<'_> {
    /// Appends a received message to the fields of `event`.
    pub(crate) fn message(self, mut event: OutputEvent, message: &Message) -> OutputEvent {
        let (mode, id) = (message.mode(), message.id());
        let kind = id.map_or(MessageKind::Notify, MessageKind::Message);
        let word = match mode {
            MessageSendMode::Unreliable => "unreliable",
            MessageSendMode::Reliable => "reliable",
            MessageSendMode::Notify => "notify",
        };
        let format = message.format().unwrap_or(Format::V21);
        // Received data can always be read in its own format.
        let payload = message.payload(format).unwrap_or_default();
        let text = text(message, &payload);
        let mut shown = event.fields.clone();
        let is_described = self.layouts.find(kind, self.sender).is_some();
        if is_described {
            let text = self.layouts.print(kind, self.sender, &payload, format);
            shown.push((word, Value::Escaped(text)));
        } else {
            shown.push(id.map_or_else(|| ("mode", word.into()), |id| (word, id.into())));
            shown.extend([("bits", payload.bit_len().into()), ("hex", hex(&payload))]);
            shown.extend(text.clone());
        }
        event.fields.push(("mode", word.into()));
        event.fields.push(("id", id.into()));
        event.fields.push(("bits", payload.bit_len().into()));
        self.push_content(&mut event, kind, &payload, format);
        event.fields.extend(text);
        OutputEvent { human_fields: Some(shown), ..event }
    }

    /// Appends the data of a rejection, a kick or a connect request.
    pub(crate) fn data(
        self,
        mut event: OutputEvent,
        kind: MessageKind,
        data: Option<&Message>,
    ) -> OutputEvent {
        let format = data.and_then(Message::format).unwrap_or(Format::V21);
        let payload = data.and_then(|data| data.payload(format).ok()).unwrap_or_default();
        let mut shown = event.fields.clone();
        let text = data.and_then(|data| text(data, &payload));
        if self.layouts.find(kind, self.sender).is_some() && !payload.is_empty() {
            shown.push(("data", Value::Escaped(self.layouts.print(kind, self.sender, &payload, format))));
        } else if !payload.is_empty() {
            shown.push(("hex", hex(&payload)));
            shown.extend(text.clone());
        }
        self.push_content(&mut event, kind, &payload, format);
        event.fields.extend(text);
        OutputEvent { human_fields: Some(shown), ..event }
    }

    /// Appends the bytes and, if a layout describes the data, the values.
    fn push_content(self, event: &mut OutputEvent, kind: MessageKind, payload: &Payload<'_>, format: Format) {
        event.fields.push(("hex", hex(payload)));
        let mut record = Record::new();
        if !self.layouts.trace(kind, self.sender, payload, format, &mut record) {
            return;
        }
        let is_message = |node: &NodeRef<'_>| node.kind() == NodeKind::Group(Layer::Message);
        if let Some(node) = record.nodes().find(is_message) {
            event.fields.push(("name", node.name().to_owned().into()));
            // Objects with string keys always become JSON.
            let fields = serde_json::to_value(Fields(node)).unwrap_or(Json::Null);
            event.fields.push(("fields", Value::Json(fields)));
        }
        let error = record.nodes().find(|node| node.kind() == NodeKind::Error);
        if let Some(Found::Text(error)) = error.and_then(|error| error.value()) {
            event.fields.push(("error", Value::Text(error.to_vec())));
        }
    }
}

/// Returns the text of a payload that is one string of printable characters.
fn text(message: &Message, payload: &Payload<'_>) -> Option<(&'static str, Value)> {
    let text: String = message.read_as().ok()?;
    // The length takes one byte below 128, and two bytes otherwise.
    let length = if text.len() < 128 { 1 } else { 2 };
    let bits = text.len().saturating_add(length).saturating_mul(8);
    // The last 7 bits of a packet may be padding, which is zero.
    let is_all = payload.bit_len().checked_sub(bits).is_some_and(|left| left < 8)
        && payload.bits().skip(bits).all(|bit| !bit);
    let is_readable =
        !text.is_empty() && !text.chars().any(|letter| letter.is_control() || letter == '\u{fffd}');
    (is_all && is_readable).then(|| ("text", Value::Text(text.into_bytes())))
}

fn hex(payload: &Payload<'_>) -> Value {
    let mut digits = String::with_capacity(payload.byte_len().saturating_mul(2));
    for byte in payload.bytes() {
        // Writing to memory cannot fail.
        _ = write!(digits, "{byte:02x}");
    }
    Value::Escaped(digits)
}

/// Returns the name of a [`RejectReason`](gamewire_riptide::RejectReason) or
/// [`DisconnectReason`](gamewire_riptide::DisconnectReason), as in the C# library.
pub(crate) fn reason_name(reason: &impl fmt::Debug) -> String {
    let name = format!("{reason:?}");
    if name.starts_with("Other(") { "Unknown".into() } else { name }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use gamewire_riptide::layout::MessageDefinition;

    use super::*;
    use crate::output::event;

    fn layouts() -> MessageLayouts {
        let chat = MessageDefinition::new(MessageKind::Message(3), "chat", ["text: string", "to: int[]"]);
        MessageLayouts::new(&[], &[chat]).unwrap()
    }

    fn described(layouts: &MessageLayouts, id: u16, bytes: &[u8]) -> (String, String) {
        described_payload(layouts, id, &Payload::new(bytes))
    }

    fn described_payload(layouts: &MessageLayouts, id: u16, payload: &Payload<'_>) -> (String, String) {
        let message = Message::received(Format::V21, MessageSendMode::Reliable, Some(id), payload);
        let content = PayloadFormatter { layouts, sender: Role::Client };
        let event = content.message(event!("message", client: 1), &message);
        event.lines()
    }

    #[test]
    fn a_message_without_a_layout_is_its_bytes() {
        assert_eq!(
            described(&layouts(), 10, &[5, 0xff]),
            (
                r#"{"event":"message","time":0.0,"client":1,"mode":"reliable","id":10,"bits":16,"hex":"05ff"}"#.into(),
                "   0.000  message      client 1, reliable 10, bits 16, hex 05ff".into()
            )
        );
    }

    #[test]
    fn a_message_that_reads_as_one_string_has_its_text_beside_the_bytes() {
        let (json, text) = described(&layouts(), 10, b"\x03bye");
        assert!(json.ends_with(r#""bits":32,"hex":"03627965","text":"bye"}"#), "{json}");
        assert_eq!(text, r#"   0.000  message      client 1, reliable 10, bits 32, hex 03627965, text bye"#);
        for other in [&b"\x02bye"[..], b"\x03by\x07", b"\0", b"\x04bye"] {
            let (json, _) = described(&layouts(), 10, other);
            assert!(!json.contains("text"), "{json}");
        }
    }

    #[test]
    fn the_padding_of_a_packet_is_not_a_part_of_its_text() {
        for (last, has_text) in [(0x00, true), (0x10, true), (0x01, false), (0x08, false)] {
            let bytes = [3, b'b', b'y', b'e', last];
            let (json, _) = described_payload(&layouts(), 10, &Payload::with_bits(&bytes, 36));
            assert_eq!(json.contains(r#""text":"bye""#), has_text, "{json}");
        }
    }

    #[test]
    fn a_message_with_a_layout_is_described_by_name_and_field() {
        assert_eq!(
            described(&layouts(), 3, b"\x02hi\x01\x07\0\0\0"),
            (
                r#"{"event":"message","time":0.0,"client":1,"mode":"reliable","id":3,"bits":64,"hex":"0268690107000000","name":"chat","fields":{"text":"hi","to":[7]}}"#.into(),
                r#"   0.000  message      client 1, reliable chat text="hi" to=[7]"#.into()
            )
        );
    }

    #[test]
    fn a_damaged_message_is_described_up_to_the_error() {
        let (json, text) = described(&layouts(), 3, b"\x02hi\x09");
        assert!(json.contains(r#""fields":{"text":"hi"}"#) && json.contains(r#""error":"chat"#), "{json}");
        assert_eq!(text, "   0.000  message      client 1, reliable 3 hex:02686909");
    }

    #[test]
    fn r6_text_of_a_peer_cannot_control_the_terminal() {
        let (json, text) = described(&layouts(), 3, b"\x09\x1b[2J\xe2\x80\xae\xff\0");
        for line in [json, text] {
            assert!(
                !line.chars().any(|c| c.is_control() || gamewire_inspect::render::is_hidden(c)),
                "{line:?}"
            );
        }
    }
}
