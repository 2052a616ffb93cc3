//! What only the bit format has: single bits, and numbers of variable length.

use gamewire_wire::{CodecError, Found};

use super::{Reader, Writer};
use crate::shared::payload::Payload;
use crate::shared::version::Version;

/// Zigzag: small numbers of either sign are small again.
const fn fold(value: i64) -> u64 {
    (value.wrapping_shl(1) ^ (value >> 63)).cast_unsigned()
}

/// The inverse of [`fold`].
const fn unfold(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ (value & 1).cast_signed().wrapping_neg()
}

/// A width that the original has too, in a format that has them.
fn width<V: Version>(count: usize) -> Result<usize, CodecError> {
    match count {
        1..=64 if V::HAS_BITS => Ok(count),
        1..=64 => Err(CodecError::new(0, "a type that the byte format (2.0) has", Found::Bits(count))),
        _ => Err(CodecError::new(0, "1 to 64 bits", Found::Bits(count))),
    }
}

impl<V: Version> Reader<'_, V> {
    /// `GetVarULong`: 7 bits in each 8, low ones first; the eighth says that more follow.
    ///
    /// # Errors
    /// When the data end before it does, or it takes more than 64 bits; always in the byte format.
    pub fn var_ulong(&mut self) -> Result<u64, CodecError> {
        V::read_var_ulong(self)
    }

    /// `GetVarLong`. The original reads numbers from 2^62 on wrongly; this reads what was meant.
    ///
    /// # Errors
    /// When the data end before it does, or it takes more than 64 bits; always in the byte format.
    pub fn var_long(&mut self) -> Result<i64, CodecError> {
        self.var_ulong().map(unfold)
    }

    /// `GetBits`: 1 to 64 bits, the first in the lowest place.
    ///
    /// # Errors
    /// When fewer are left, or another number of them is asked for; always in the byte format.
    pub fn bits(&mut self, count: usize) -> Result<u64, CodecError> {
        self.word(width::<V>(count)?, "as many bits")
    }

    /// `PeekBits`: as [`Reader::bits`], from `skip` bits behind the cursor, without moving.
    ///
    /// # Errors
    /// When fewer are left, or another number of them is asked for; always in the byte format.
    pub fn peek_bits(&self, skip: usize, count: usize) -> Result<u64, CodecError> {
        let mut ahead = *self;
        ahead.skip_bits(skip)?;
        ahead.bits(count)
    }

    /// `SkipBits`.
    ///
    /// # Errors
    /// When fewer are left; always in the byte format.
    pub fn skip_bits(&mut self, count: usize) -> Result<(), CodecError> {
        width::<V>(1)?;
        self.take(count, "as many bits").map(drop)
    }
}

impl<V: Version> Writer<'_, V> {
    /// `AddVarULong`: 7 bits in each 8, low ones first; the eighth says that more follow.
    ///
    /// # Errors
    /// When there is no room; always in the byte format.
    pub fn var_ulong(&mut self, value: u64) -> Result<(), CodecError> {
        V::write_var_ulong(self, value)
    }

    /// `AddVarLong`.
    ///
    /// # Errors
    /// When there is no room; always in the byte format.
    pub fn var_long(&mut self, value: i64) -> Result<(), CodecError> {
        self.var_ulong(fold(value))
    }

    /// `AddBits`: the lowest 1 to 64 bits.
    ///
    /// # Errors
    /// When there is no room, or another number of them is given; always in the byte format.
    pub fn bits(&mut self, count: usize, value: u64) -> Result<(), CodecError> {
        self.word(width::<V>(count)?, value)
    }

    /// `ReserveBits`: zeros for [`Writer::set_bits`], and where they begin.
    ///
    /// # Errors
    /// When there is no room; always in the byte format.
    pub fn reserve_bits(&mut self, count: usize) -> Result<usize, CodecError> {
        const ZEROS: [u8; 64] = [0; 64];
        width::<V>(1)?;
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

    /// `SetBits`: replaces 1 to 64 bits that are written, from bit `at` of the packet on.
    ///
    /// # Errors
    /// When they are not written, or another number of them is given; always in the byte format.
    pub fn set_bits(&mut self, at: usize, count: usize, value: u64) -> Result<(), CodecError> {
        let count = width::<V>(count)?;
        self.replace(at, count, value)
    }
}
