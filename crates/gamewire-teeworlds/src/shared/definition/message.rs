//! What messages have in common.

use gamewire_wire::{CodecError, Definition, Trace, Writer};

use crate::shared::pack::{FifthByte, Unpacker};

/// A message with a body of typed fields.
pub trait Message<'a>: Sized {
    /// The message as data.
    const DEFINITION: &'static Definition;

    /// Reads the body, all fields in order, and hands it to `then` with the cursor behind it; what
    /// that makes of it is made in its place, without a copy.
    ///
    /// # Errors
    /// When a field cannot be read; that has been told, and what came before it.
    #[inline(always)]
    fn decode_then<R, T: Trace>(
        from: Unpacker<'a>,
        trace: &mut T,
        then: impl FnOnce(Self, Unpacker<'a>, &mut T) -> R,
    ) -> Result<R, CodecError> {
        let reader = from.reader;
        Self::decode_parts(reader.source(), reader.remaining(), trace, from.fifth_byte(), then)
    }

    /// As [`Message::decode_then`], the cursor in parts: its source, and what is left of that.
    ///
    /// # Errors
    /// When a field cannot be read; that has been told, and what came before it.
    fn decode_parts<R, T: Trace>(
        source: &'a [u8],
        rest: &'a [u8],
        trace: &mut T,
        fifth_byte: FifthByte,
        then: impl FnOnce(Self, Unpacker<'a>, &mut T) -> R,
    ) -> Result<R, CodecError>;

    /// Writes the body.
    ///
    /// # Errors
    /// When the buffer is full or a value has no form on the wire.
    fn encode(&self, to: &mut Writer<'_>) -> Result<(), CodecError>;
}

/// A set of messages told apart by an id.
pub trait MessageSet<'a>: Sized {
    /// What tells them apart.
    type Id;

    /// Reads the body of message `id` and hands it to `known`, with the cursor behind it; calls
    /// `unknown` when the set has no such id.
    ///
    /// # Errors
    /// When a field cannot be read; that has been told, and what came before it.
    fn decode_then<R, T: Trace>(
        id: Self::Id,
        from: Unpacker<'a>,
        trace: &mut T,
        known: impl FnOnce(Self, Unpacker<'a>, &mut T) -> R,
        unknown: impl FnOnce(Unpacker<'a>, &mut T) -> R,
    ) -> Result<R, CodecError>;

    /// Reads the body of message `id` and wraps it; `None` when the set has no such id.
    ///
    /// # Errors
    /// When a field cannot be read; that has been told, and what came before it.
    fn decode<R, T: Trace>(
        id: Self::Id,
        from: &mut Unpacker<'a>,
        trace: &mut T,
        wrap: impl FnOnce(Self) -> R,
    ) -> Result<Option<R>, CodecError> {
        let known = |message, behind, _: &mut T| (Some(wrap(message)), behind);
        let (read, behind) = Self::decode_then(id, *from, trace, known, |behind, _| (None, behind))?;
        *from = behind;
        Ok(read)
    }

    /// The definition of message `id`, if the set has one.
    fn definition_of(id: Self::Id) -> Option<&'static Definition>;

    /// The id of this message.
    fn id(&self) -> Self::Id;

    /// The definition of this message.
    fn definition(&self) -> &'static Definition;

    /// Writes the body.
    ///
    /// # Errors
    /// When the buffer is full or a value has no form on the wire.
    fn encode(&self, to: &mut Writer<'_>) -> Result<(), CodecError>;
}
