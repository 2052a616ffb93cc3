use gamewire_wire::Result;

use super::definition::MessageKind;
use super::scalar::ScalarValue;
use crate::shared::message::Writer;
use crate::shared::version::Version;

/// Parsed values of a message, in wire order, for either format.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Values(pub(super) Vec<Token>);

/// A message that was parsed from text.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ParsedMessage {
    /// Kind of message.
    pub kind: MessageKind,
    /// Values.
    pub values: Values,
}

/// An item on the wire.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Token {
    Scalar(ScalarValue),
    /// The length prefix of a list.
    Length(usize),
    /// A string, with a length prefix.
    Text(Vec<u8>),
    /// Bytes without a length prefix.
    Bytes(Vec<u8>),
    /// Bools without a length prefix.
    Bools(Vec<bool>),
}

impl Values {
    /// Appends the values to `to`.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the buffer is full or the format does not support a value. Nothing
    /// is written.
    pub fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<()> {
        to.all_or_nothing(|to| {
            self.0.iter().try_for_each(|token| match token {
                Token::Scalar(value) => value.write(to),
                Token::Length(length) => to.length(*length),
                Token::Text(text) => to.bytes(text),
                Token::Bytes(bytes) => to.bytes_without_length(bytes),
                Token::Bools(bools) => to.bools_without_length(bools),
            })
        })
    }

    /// Returns whether there are no values.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
