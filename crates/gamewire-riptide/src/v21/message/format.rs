//! Values of the bit format: nothing is aligned.

use gamewire_wire::CodecError;

use super::length;
use crate::shared::message::{Reader, Writer};
use crate::v21::V21;

/// A cursor over the values of a message.
pub type MessageReader<'a> = Reader<'a, V21>;
/// Writes a packet and its values into a caller's buffer.
pub type MessageWriter<'b> = Writer<'b, V21>;

/// A message id: a number of variable length.
pub(crate) fn read_id(from: &mut MessageReader<'_>) -> Result<u64, CodecError> {
    from.var_ulong()
}

/// A message id.
pub(crate) fn write_id(id: u16, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
    to.var_ulong(id.into())
}

/// How many bits a message id takes.
pub(crate) const fn id_bits(id: u16) -> usize {
    length::bits(id as u64)
}

/// One bit.
pub(crate) fn read_bool(from: &mut MessageReader<'_>) -> Result<bool, CodecError> {
    from.word(1, "a bit").map(|bit| bit == 1)
}

/// One bit.
pub(crate) fn write_bool(to: &mut MessageWriter<'_>, value: bool) -> Result<(), CodecError> {
    to.word(1, value.into())
}

/// A bit each, and nothing in between.
pub(crate) const fn bool_bits(count: usize) -> usize {
    count
}
