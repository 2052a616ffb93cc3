//! The chunk header of 0.6 and DDNet (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 9..4              resend, vital
//! byte 1   sequence 9..6, size 3..0
//! byte 2   sequence 7..0              vital chunks only; bits 7 and 6 are sent twice
//! ```

use gamewire_wire::{CodecError, Reader, Trace, Writer};

use crate::shared::packet::{self, Chunk, ChunkHeader};

/// Number of low bits of the size in the second byte.
pub(in crate::v06) const LOW_BITS: u32 = 4;
/// Maximum bytes of a chunk's content.
pub const MAX_SIZE: usize = packet::max_chunk_size(LOW_BITS);

/// Reads the next chunk of a payload and reports its header.
///
/// # Errors
/// [`CodecError`] if the payload ends in it.
#[inline]
pub fn read<'a, T: Trace>(from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>, CodecError> {
    packet::read_chunk(LOW_BITS, from, trace)
}

/// Writes the header of a chunk of `size` bytes.
///
/// # Errors
/// [`CodecError`] if the size exceeds [`MAX_SIZE`], or the buffer is full.
pub fn write(header: &ChunkHeader, size: usize, to: &mut Writer<'_>) -> Result<(), CodecError> {
    packet::write_chunk(LOW_BITS, header, size, to)
}
