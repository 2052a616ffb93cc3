use gamewire_wire::CodecError;

use super::definition::MessageKind;
use super::single::ScalarValue;
use crate::shared::message::Writer;
use crate::shared::version::Version;

/// Values of a message that a person wrote, in wire order, for either format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(pub(super) Vec<Token>);

/// A message that a person wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedMessage {
    pub(super) place: MessageKind,
    pub(super) values: Values,
}

/// What stands on the wire one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Single(ScalarValue),
    /// The number in front of a list.
    Length(usize),
    /// A string with its length.
    Text(Vec<u8>),
    /// Bytes without their number.
    Bytes(Vec<u8>),
    /// Bools without their number.
    Bools(Vec<bool>),
}

impl Values {
    /// Writes them behind what `to` holds.
    ///
    /// # Errors
    /// When there is no room, or the format cannot say one of them; then none is written.
    pub fn write<V: Version>(&self, to: &mut Writer<'_, V>) -> Result<(), CodecError> {
        to.all_or_nothing(|to| {
            self.0.iter().try_for_each(|piece| match piece {
                Token::Single(value) => value.write(to),
                Token::Length(length) => to.length(*length),
                Token::Text(text) => to.bytes(text),
                Token::Bytes(bytes) => to.bytes_without_length(bytes),
                Token::Bools(bools) => to.bools_without_length(bools),
            })
        })
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl ParsedMessage {
    /// Where the values go: with an id, or where their layout says.
    #[must_use]
    pub const fn kind(&self) -> MessageKind {
        self.place
    }

    /// The values.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.values
    }
}
