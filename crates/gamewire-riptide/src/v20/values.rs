use gamewire_wire::{CodecError, Found};

use super::V20;
use crate::shared::bits::low_16;
use crate::shared::message::{Reader, Writer};
use crate::shared::version::ValueFormat;

/// Expected value of an error about a variable-length number, which this format does not have.
const EXPECTED: &str = "a type that the byte format (2.0) has";
/// Maximum length.
const MAX_LENGTH: usize = 0x7fff;
/// Maximum length in the one-byte form.
const MAX_SHORT: u8 = 0x7f;
/// Marks the two-byte form.
const LONG: u16 = 0x8000;

/// Every value takes whole bytes.
impl ValueFormat for V20 {
    const HAS_BITS: bool = false;

    /// 16 bits.
    #[inline]
    fn encode_id(id: u16) -> (u64, usize) {
        (id.into(), 16)
    }

    #[inline]
    fn decode_id(bits: u64) -> Option<(u16, usize)> {
        Some((low_16(bits), 16))
    }

    #[inline]
    fn read_id(from: &mut Reader<'_, Self>) -> Result<u64, CodecError> {
        from.u16().map(u64::from)
    }

    #[inline]
    fn write_id(id: u16, to: &mut Writer<'_, Self>) -> Result<(), CodecError> {
        to.u16(id)
    }

    /// A byte: 1 is true, every other value is false.
    #[inline]
    fn read_bool(from: &mut Reader<'_, Self>) -> Result<bool, CodecError> {
        from.u8().map(|byte| byte == 1)
    }

    #[inline]
    fn write_bool(to: &mut Writer<'_, Self>, value: bool) -> Result<(), CodecError> {
        to.u8(value.into())
    }

    /// Eight bools share a byte.
    fn bool_bits(count: usize) -> usize {
        count.div_ceil(8).saturating_mul(8)
    }

    /// Always fails.
    fn read_var_ulong(from: &mut Reader<'_, Self>) -> Result<u64, CodecError> {
        let found = Found::Bits(from.unread_bits());
        Err(CodecError::new(from.position() / 8, EXPECTED, found))
    }

    /// Always fails.
    fn write_var_ulong(to: &mut Writer<'_, Self>, value: u64) -> Result<(), CodecError> {
        let found = Found::Value(i64::try_from(value).unwrap_or(i64::MAX));
        Err(CodecError::new(to.written_bits() / 8, EXPECTED, found))
    }

    /// One byte up to 127; up to 32767 two bytes, most significant byte first, with the highest bit set.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize, CodecError> {
        let mut ahead = *from;
        let first = ahead.u8()?;
        let length = if first <= MAX_SHORT {
            first.into()
        } else {
            usize::from(u16::from_be_bytes([first & MAX_SHORT, ahead.u8()?]))
        };
        *from = ahead;
        Ok(length)
    }

    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<(), CodecError> {
        match (u8::try_from(length), u16::try_from(length)) {
            (Ok(short), _) if short <= MAX_SHORT => to.u8(short),
            (_, Ok(long)) if length <= MAX_LENGTH => to.u16((long | LONG).swap_bytes()),
            _ => {
                let found = Found::Value(i64::try_from(length).unwrap_or(i64::MAX));
                Err(CodecError::new(to.written_bits() / 8, "at most 32767 elements", found))
            }
        }
    }
}
