//! Browsing messages after their headers.

use gamewire_wire::{CodecError, Found, Reader, Writer};

use crate::shared::connless::PREFIX;
use crate::shared::definition::MessageSet;
use crate::shared::pack::{FifthByte, Unpacker};

/// Decodes the browsing message in `payload`, or returns `None` if it is unknown.
pub(super) fn decode_message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    payload: &'a [u8],
) -> Result<Option<M>, CodecError> {
    let mut from = Reader::new(payload);
    let prefix = from.array::<4>("four bytes ff")?;
    if prefix != PREFIX {
        return Err(CodecError::new(0, "four bytes ff", Found::Value(prefix[0].into())));
    }
    let Some(letters) = from.take(4, "four letters")?.first_chunk() else { return Ok(None) };
    M::decode(letters, &mut Unpacker::new(from, FifthByte::Teeworlds), &mut (), |message| message)
}

/// Writes a browsing message after its header.
pub(super) fn encode_message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    message: &M,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    to.bytes(&PREFIX)?;
    to.bytes(message.id())?;
    message.encode(to)
}
