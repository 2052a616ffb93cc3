use gamewire_wire::{CodecError, Found};

use super::V21;
use crate::shared::bits::low_16;
use crate::shared::message::{Reader, Writer};
use crate::shared::version::ValueFormat;

/// Bits of a variable-length number in each byte, low bits first.
const GROUP: u32 = 7;
/// Maximum bytes of a variable-length number, for 64 bits.
const MAX_BYTES: u32 = 10;
/// The eighth bit of a byte: more bytes follow.
const MORE: u64 = 0x80;

/// Values are not aligned to bytes.
impl ValueFormat for V21 {
    const HAS_BITS: bool = true;

    /// A variable-length number.
    #[inline]
    fn encode_id(id: u16) -> (u64, usize) {
        let id = u64::from(id);
        match id {
            0..0x80 => (id, 8),
            0x80..0x4000 => (id & 0x7f | MORE | id >> 7 << 8, 16),
            _ => (id & 0x7f | MORE | (id >> 7 & 0x7f | MORE) << 8 | id >> 14 << 16, 24),
        }
    }

    #[inline]
    fn decode_id(bits: u64) -> Option<(u16, usize)> {
        let (low, high) = (bits & 0xff, bits >> 8 & 0xff);
        match (low < MORE, high < MORE) {
            (true, _) => Some((low_16(low), 8)),
            // Larger ids and overlong encodings are rare.
            (false, true) if high > 0 => Some((low_16(low & 0x7f | high << 7), 16)),
            _ => None,
        }
    }

    #[inline]
    fn read_id(from: &mut Reader<'_, Self>) -> Result<u64, CodecError> {
        from.var_ulong()
    }

    #[inline]
    fn write_id(id: u16, to: &mut Writer<'_, Self>) -> Result<(), CodecError> {
        to.var_ulong(id.into())
    }

    /// One bit.
    #[inline]
    fn read_bool(from: &mut Reader<'_, Self>) -> Result<bool, CodecError> {
        from.word(1, "a bit").map(|bit| bit == 1)
    }

    #[inline]
    fn write_bool(to: &mut Writer<'_, Self>, value: bool) -> Result<(), CodecError> {
        to.word(1, value.into())
    }

    /// One bit each.
    fn bool_bits(count: usize) -> usize {
        count
    }

    fn read_var_ulong(from: &mut Reader<'_, Self>) -> Result<u64, CodecError> {
        let mut ahead = *from;
        let mut number = 0;
        for group in 0..MAX_BYTES {
            let byte = ahead.word(8, "the end of a number")?;
            let (shift, bits) = (group.saturating_mul(GROUP), byte & !MORE);
            if bits.checked_shl(shift).is_none_or(|shifted| shifted.wrapping_shr(shift) != bits) {
                return Err(too_large(from));
            }
            number |= bits.wrapping_shl(shift);
            if byte & MORE == 0 {
                *from = ahead;
                return Ok(number);
            }
        }
        Err(too_large(from))
    }

    fn write_var_ulong(to: &mut Writer<'_, Self>, value: u64) -> Result<(), CodecError> {
        to.all_or_nothing(|to| {
            let mut left = value;
            while left >= MORE {
                to.word(8, left & !MORE & 0xff | MORE)?;
                left >>= GROUP;
            }
            to.word(8, left)
        })
    }

    /// A variable-length number.
    fn read_length(from: &mut Reader<'_, Self>) -> Result<usize, CodecError> {
        let mut ahead = *from;
        let number = Self::read_var_ulong(&mut ahead)?;
        let length = usize::try_from(number).map_err(|_| too_large(from))?;
        *from = ahead;
        Ok(length)
    }

    fn write_length(to: &mut Writer<'_, Self>, length: usize) -> Result<(), CodecError> {
        Self::write_var_ulong(to, u64::try_from(length).unwrap_or(u64::MAX))
    }
}

#[cold]
fn too_large(from: &Reader<'_, V21>) -> CodecError {
    let found = Found::Bits(from.unread_bits());
    CodecError::new(from.position() / 8, "a number of at most 64 bits in 10 bytes", found)
}
