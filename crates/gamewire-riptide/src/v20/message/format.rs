//! Values of the byte format: each takes whole bytes.

use gamewire_wire::{CodecError, Found};

use crate::shared::message::{Reader, Writer};
use crate::v20::V20;

/// What was wanted instead of numbers of variable length.
const EXPECTED: &str = "a type that the byte format (2.0) has";

/// A cursor over the values of a message.
pub type MessageReader<'a> = Reader<'a, V20>;
/// Writes a packet and its values into a caller's buffer.
pub type MessageWriter<'b> = Writer<'b, V20>;

/// A message id: 16 bits.
pub(crate) fn read_id(from: &mut MessageReader<'_>) -> Result<u64, CodecError> {
    from.u16().map(u64::from)
}

/// A message id.
pub(crate) fn write_id(id: u16, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
    to.u16(id)
}

/// How many bits a message id takes.
pub(crate) const fn id_bits(_: u16) -> usize {
    16
}

/// A byte: 1 is true, all else false.
pub(crate) fn read_bool(from: &mut MessageReader<'_>) -> Result<bool, CodecError> {
    from.u8().map(|byte| byte == 1)
}

/// A byte, 0 or 1.
pub(crate) fn write_bool(to: &mut MessageWriter<'_>, value: bool) -> Result<(), CodecError> {
    to.u8(value.into())
}

/// There are none.
pub(crate) fn read_var_ulong(from: &MessageReader<'_>) -> Result<u64, CodecError> {
    let found = Found::Bits(from.unread_bits());
    Err(CodecError::new(from.position() / 8, EXPECTED, found))
}

/// There are none.
pub(crate) fn write_var_ulong(to: &MessageWriter<'_>, value: u64) -> Result<(), CodecError> {
    let found = Found::Value(i64::try_from(value).unwrap_or(i64::MAX));
    Err(CodecError::new(to.written_bits() / 8, EXPECTED, found))
}

/// Eight bools take a byte.
pub(crate) const fn bool_bits(count: usize) -> usize {
    count.div_ceil(8).saturating_mul(8)
}
