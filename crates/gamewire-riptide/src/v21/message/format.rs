//! Values of the bit format: nothing is aligned.

use gamewire_wire::{CodecError, Found};

use super::length;
use crate::shared::message::{Reader, Writer};
use crate::shared::payload::Payload;
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

/// Zigzag: small numbers of either sign are small again.
const fn fold(value: i64) -> u64 {
    (value.wrapping_shl(1) ^ (value >> 63)).cast_unsigned()
}

/// The inverse of [`fold`].
const fn unfold(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ (value & 1).cast_signed().wrapping_neg()
}

/// A width that the original has too.
fn is_width(count: usize) -> Result<usize, CodecError> {
    match count {
        1..=64 => Ok(count),
        _ => Err(CodecError::new(0, "1 to 64 bits", Found::Bits(count))),
    }
}

impl Reader<'_, V21> {
    /// `GetVarULong`: 7 bits in each 8, low ones first; the eighth says that more follow.
    ///
    /// # Errors
    /// When the data end before it does, or it takes more than 64 bits.
    pub fn var_ulong(&mut self) -> Result<u64, CodecError> {
        length::read_number(self)
    }

    /// `GetVarLong`. The original reads numbers from 2^62 on wrongly; this reads what was meant.
    ///
    /// # Errors
    /// When the data end before it does, or it takes more than 64 bits.
    pub fn var_long(&mut self) -> Result<i64, CodecError> {
        self.var_ulong().map(unfold)
    }

    /// `GetBits`: 1 to 64 bits, the first in the lowest place.
    ///
    /// # Errors
    /// When fewer are left, or another number of them is asked for.
    pub fn bits(&mut self, count: usize) -> Result<u64, CodecError> {
        self.word(is_width(count)?, "as many bits")
    }

    /// `PeekBits`: as [`Reader::bits`], from `skip` bits behind the cursor, without moving.
    ///
    /// # Errors
    /// When fewer are left, or another number of them is asked for.
    pub fn peek_bits(&self, skip: usize, count: usize) -> Result<u64, CodecError> {
        let mut ahead = *self;
        ahead.skip_bits(skip)?;
        ahead.bits(count)
    }

    /// `SkipBits`.
    ///
    /// # Errors
    /// When fewer are left.
    pub fn skip_bits(&mut self, count: usize) -> Result<(), CodecError> {
        self.take(count, "as many bits").map(drop)
    }
}

impl Writer<'_, V21> {
    /// `AddVarULong`: 7 bits in each 8, low ones first; the eighth says that more follow.
    ///
    /// # Errors
    /// When there is no room.
    pub fn var_ulong(&mut self, value: u64) -> Result<(), CodecError> {
        length::write_number(self, value)
    }

    /// `AddVarLong`.
    ///
    /// # Errors
    /// When there is no room.
    pub fn var_long(&mut self, value: i64) -> Result<(), CodecError> {
        self.var_ulong(fold(value))
    }

    /// `AddBits`: the lowest 1 to 64 bits.
    ///
    /// # Errors
    /// When there is no room, or another number of them is given.
    pub fn bits(&mut self, count: usize, value: u64) -> Result<(), CodecError> {
        self.word(is_width(count)?, value)
    }

    /// `ReserveBits`: zeros for [`Writer::set_bits`], and where they begin.
    ///
    /// # Errors
    /// When there is no room.
    pub fn reserve_bits(&mut self, count: usize) -> Result<usize, CodecError> {
        const ZEROS: [u8; 64] = [0; 64];
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
    /// When they are not written, or another number of them is given.
    pub fn set_bits(&mut self, at: usize, count: usize, value: u64) -> Result<(), CodecError> {
        self.replace(at, is_width(count)?, value)
    }
}
