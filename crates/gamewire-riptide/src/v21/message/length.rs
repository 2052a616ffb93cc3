//! The length of an array or string, and all numbers of variable length: 7 bits in each 8, low
//! ones first; the eighth bit says that more follow.

use gamewire_wire::{CodecError, Found};

use super::{MessageReader, MessageWriter};

/// Bits of the number in each byte.
const GROUP: u32 = 7;
/// Bytes that 64 bits take.
const MAX_BYTES: u32 = 10;
/// More follow.
const MORE: u64 = 0x80;

/// Reads a length.
pub(crate) fn read(from: &mut MessageReader<'_>) -> Result<usize, CodecError> {
    let mut ahead = *from;
    let number = read_number(&mut ahead)?;
    let length = usize::try_from(number).map_err(|_| too_large(from))?;
    *from = ahead;
    Ok(length)
}

/// Writes a length.
pub(crate) fn write(to: &mut MessageWriter<'_>, length: usize) -> Result<(), CodecError> {
    write_number(to, u64::try_from(length).unwrap_or(u64::MAX))
}

/// How many bits a number takes.
pub(crate) const fn bits(number: u64) -> usize {
    let groups = (u64::BITS.saturating_sub((number | 1).leading_zeros())).div_ceil(GROUP);
    groups.saturating_mul(8) as usize
}

/// Reads a number of variable length.
pub(crate) fn read_number(from: &mut MessageReader<'_>) -> Result<u64, CodecError> {
    let mut ahead = *from;
    let mut number = 0;
    for group in 0..MAX_BYTES {
        let byte = ahead.word(8, "the end of a number")?;
        let (shift, bits) = (group.saturating_mul(GROUP), byte & !MORE);
        if bits.checked_shl(shift).is_none_or(|placed| placed.wrapping_shr(shift) != bits) {
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

/// Writes a number of variable length.
pub(crate) fn write_number(to: &mut MessageWriter<'_>, number: u64) -> Result<(), CodecError> {
    to.all_or_nothing(|to| {
        let mut left = number;
        while left >= MORE {
            to.word(8, left & !MORE & 0xff | MORE)?;
            left >>= GROUP;
        }
        to.word(8, left)
    })
}

#[cold]
fn too_large(from: &MessageReader<'_>) -> CodecError {
    let found = Found::Bits(from.unread_bits());
    CodecError::new(from.position() / 8, "a number of at most 64 bits in 10 bytes", found)
}
