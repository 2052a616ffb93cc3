use gamewire_wire::{Reader, Result, Trace, Writer};

use crate::{Dialect, v06, v07};

/// A message of one version, with all of its fields.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum WireMessage<'a> {
    /// A message of 0.6.
    V06(v06::Message<'a>),
    /// A message of 0.7.
    V07(v07::Message<'a>),
}

impl WireMessage<'_> {
    /// Writes the message as the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full or a value has no encoding.
    pub fn encode(&self, to: &mut Writer<'_>) -> Result<()> {
        match self {
            Self::V06(message) => message.encode(to),
            Self::V07(message) => message.encode(to),
        }
    }
}

/// A received message with its bytes, for messages without an event type.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MessageBuf {
    /// The dialect of the connection.
    pub dialect: Dialect,
    /// The message was sent as vital.
    pub vital: bool,
    /// The content of its chunk: id and fields.
    pub content: Vec<u8>,
}

impl Dialect {
    /// Decodes any message from the content of one chunk, without checking the ranges of numbers.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if a field is missing or broken.
    pub fn decode_wire_message(self, content: &[u8]) -> Result<WireMessage<'_>> {
        self.trace_wire_message(content, &mut ())
    }

    /// Decodes any message like [`decode_wire_message`](Self::decode_wire_message), and reports its fields.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if a field is missing or broken.
    pub fn trace_wire_message<'a, T: Trace>(
        self,
        content: &'a [u8],
        trace: &mut T,
    ) -> Result<WireMessage<'a>> {
        let (reader, fifth_byte) = (Reader::new(content), self.fifth_byte());
        match self {
            Self::V07 => v07::Message::decode(reader, fifth_byte, trace).map(WireMessage::V07),
            Self::V06 | Self::V065 | Self::Tken => {
                v06::Message::decode(reader, fifth_byte, trace).map(WireMessage::V06)
            }
        }
    }
}

impl MessageBuf {
    /// Decodes the message.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if a field is missing or broken.
    pub fn decode(&self) -> Result<WireMessage<'_>> {
        self.dialect.decode_wire_message(&self.content)
    }
}
