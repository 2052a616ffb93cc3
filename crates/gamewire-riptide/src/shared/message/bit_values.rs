//! Values that only the bit format has: single bits and variable-length numbers.

use gamewire_wire::{CodecError, Found, Result};

use super::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// Zigzag encoding: maps numbers near 0 to small unsigned numbers.
const fn zigzag(value: i64) -> u64 {
    (value.wrapping_shl(1) ^ (value >> 63)).cast_unsigned()
}

/// Inverse of [`zigzag`].
const fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ (value & 1).cast_signed().wrapping_neg()
}

/// Number of value bits in each byte of a variable-length number, low bits first. The eighth bit is set if more bytes
/// follow.
const GROUP: u32 = 7;
const MORE: u64 = 0x80;
/// Maximum bytes of a variable-length number, for 64 bits.
const MAX_BYTES: u32 = 10;
/// Expected value in the error for a type that the byte format does not have.
pub(crate) const BYTE_FORMAT_TYPE: &str = "a type that the byte format (2.0) has";

/// Returns an error if the format has no single bits, or the C# library does not support this number of bits.
fn check_width<V: Version>(count: usize) -> Result<usize> {
    match count {
        1..=64 if V::HAS_BITS => Ok(count),
        1..=64 => Err(CodecError::new(0, BYTE_FORMAT_TYPE, Found::Bits(count))),
        _ => Err(CodecError::new(0, "1 to 64 bits", Found::Bits(count))),
    }
}

impl<V: Version> Reader<'_, V> {
    /// `GetVarULong`: 7 bits in each byte, low bits first; the eighth bit is set if more bytes follow.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end before the number does, or it takes more than 64 bits;
    /// always in the byte format.
    pub fn var_ulong(&mut self) -> Result<u64> {
        if !V::HAS_BITS {
            return Err(CodecError::new(
                self.position() / 8,
                BYTE_FORMAT_TYPE,
                Found::Bits(self.unread_bits()),
            ));
        }
        self.all_or_nothing(|from| {
            let (start, unread) = (from.position() / 8, Found::Bits(from.unread_bits()));
            let mut number = 0;
            for group in 0..MAX_BYTES {
                let byte = from.word(8, "the end of a number")?;
                let (shift, bits) = (group.saturating_mul(GROUP), byte & !MORE);
                if bits.checked_shl(shift).is_none_or(|shifted| shifted.wrapping_shr(shift) != bits) {
                    break;
                }
                number |= bits.wrapping_shl(shift);
                if byte & MORE == 0 {
                    return Ok(number);
                }
            }
            Err(CodecError::new(start, "a number of at most 64 bits in 10 bytes", unread))
        })
    }

    /// `GetVarLong`. The C# library decodes numbers from 2^62 on incorrectly; this method decodes them correctly.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the data end before the number does, or it takes more than 64 bits;
    /// always in the byte format.
    pub fn var_long(&mut self) -> Result<i64> {
        self.var_ulong().map(unzigzag)
    }

    /// `GetBits`: 1 to 64 bits, the first in the lowest bit.
    pub fn bits(&mut self, count: usize) -> Result<u64> {
        self.word(check_width::<V>(count)?, "as many bits")
    }

    /// `PeekBits`: reads like [`Reader::bits`], but `skip` bits after the cursor, and without moving it.
    pub fn peek_bits(&self, skip: usize, count: usize) -> Result<u64> {
        let mut ahead = *self;
        ahead.skip_bits(skip)?;
        ahead.bits(count)
    }

    /// `SkipBits`.
    pub fn skip_bits(&mut self, count: usize) -> Result<()> {
        check_width::<V>(1)?;
        self.take(count, "as many bits").map(drop)
    }
}

impl<V: Version> Writer<'_, V> {
    /// `AddVarULong`: 7 bits in each byte, low bits first; the eighth bit is set if more bytes follow.
    pub fn var_ulong(&mut self, value: u64) -> Result<()> {
        if !V::HAS_BITS {
            let found = Found::Value(i64::try_from(value).unwrap_or(i64::MAX));
            return Err(CodecError::new(self.written_bits() / 8, BYTE_FORMAT_TYPE, found));
        }
        self.all_or_nothing(|to| {
            let mut left = value;
            while left >= MORE {
                to.word(8, left & !MORE & 0xff | MORE)?;
                left >>= GROUP;
            }
            to.word(8, left)
        })
    }

    /// `AddVarLong`.
    pub fn var_long(&mut self, value: i64) -> Result<()> {
        self.var_ulong(zigzag(value))
    }

    /// `AddBits`: the lowest 1 to 64 bits.
    pub fn bits(&mut self, count: usize, value: u64) -> Result<()> {
        self.word(check_width::<V>(count)?, value)
    }

    /// `ReserveBits`: appends zeros for [`Writer::set_bits`] and returns the position of the first one.
    pub fn reserve_bits(&mut self, count: usize) -> Result<usize> {
        const ZEROS: [u8; 64] = [0; 64];
        check_width::<V>(1)?;
        let start = self.written_bits();
        let mut left = count;
        self.all_or_nothing(|to| {
            while left > 0 {
                let zeros = Payload::with_bits(&ZEROS, left);
                to.payload(&zeros)?;
                left = left.saturating_sub(zeros.bit_len());
            }
            Ok(())
        })?;
        Ok(start)
    }

    /// `SetBits`: replaces 1 to 64 written bits, from bit `at` of the packet on.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the bits are not written, or `count` is not 1 to 64; always in the
    /// byte format.
    pub fn set_bits(&mut self, at: usize, count: usize, value: u64) -> Result<()> {
        let count = check_width::<V>(count)?;
        self.replace(at, count, value)
    }
}
