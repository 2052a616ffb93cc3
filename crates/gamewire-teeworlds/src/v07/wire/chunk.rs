//! The chunk header of 0.7 (docs/protocols/teeworlds.md, "Chunk header").
//!
//! ```text
//! byte 0   F F size 11..6             resend, vital
//! byte 1   sequence 9..8, size 5..0
//! byte 2   sequence 7..0              vital chunks only
//! ```

use gamewire_wire::{CodecError, Reader, Trace, Writer};

use crate::shared::packet::{self, Chunk, ChunkHeader};

/// Number of low bits of the size in the second byte.
pub(in crate::v07) const LOW_BITS: u32 = 6;
/// Maximum bytes of a chunk's content; payloads allow less.
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
