//! The length of an array or string: one byte up to 127; two up to 32767, most significant first
//! and with the highest bit set.

use gamewire_wire::{CodecError, Found};

use super::{MessageReader, MessageWriter};

/// The largest length.
const MAX: usize = 0x7fff;
/// The largest one that takes a byte.
const MAX_SHORT: u8 = 0x7f;
/// Marks the long form.
const LONG: u16 = 0x8000;

/// Reads a length.
pub(crate) fn read(from: &mut MessageReader<'_>) -> Result<usize, CodecError> {
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

/// Writes a length.
pub(crate) fn write(to: &mut MessageWriter<'_>, length: usize) -> Result<(), CodecError> {
    match (u8::try_from(length), u16::try_from(length)) {
        (Ok(short), _) if short <= MAX_SHORT => to.u8(short),
        (_, Ok(long)) if length <= MAX => to.u16((long | LONG).swap_bytes()),
        _ => {
            let found = Found::Value(i64::try_from(length).unwrap_or(i64::MAX));
            Err(CodecError::new(to.written_bits() / 8, "at most 32767 elements", found))
        }
    }
}
