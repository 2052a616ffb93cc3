//! The headers of packets and chunks.

use super::error::FrameErrorKind;
use super::limits::FrameLimits;
use super::packet::TypeWidth;

/// The first length that is not a packet's. A chunk of `n` bytes has the length `n` plus this.
pub(super) const COMPRESSION_BORDER: usize = 16 * 1024 + 1;
/// The length after which a 32-bit length follows.
pub(super) const JUMBO_SIZE: u16 = 0xffff;
/// The first size of a chunk, header included, that needs a 32-bit length.
pub(super) const JUMBO_BORDER: usize = 65_536 - COMPRESSION_BORDER - 1;
/// Maximum bytes of packets that are compressed together.
pub(super) const QUEUE_LIMIT: usize = 262_144;
/// Bytes of a chunk's header with a 16-bit length.
pub(super) const CHUNK_HEADER: usize = 2;
/// Bytes of a chunk's header with a 32-bit length.
pub(super) const JUMBO_HEADER: usize = 6;

/// A frame, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A packet of this many bytes, header included.
    Packet(usize),
    /// A chunk: bytes of its header, and of its zlib stream.
    Chunk { header: usize, compressed: usize },
}

/// Reads the header of a frame; `None` if more bytes are needed.
#[inline(always)]
pub(super) fn read(
    bytes: &[u8],
    width: TypeWidth,
    limits: &FrameLimits,
) -> Result<Option<Frame>, FrameErrorKind> {
    let Some((first, rest)) = bytes.split_first_chunk::<2>() else { return Ok(None) };
    let first = u16::from_be_bytes(*first);
    if first == JUMBO_SIZE {
        let Some(whole) = rest.first_chunk::<4>() else { return Ok(None) };
        let whole = usize::try_from(u32::from_be_bytes(*whole)).unwrap_or(usize::MAX);
        return chunk(whole, JUMBO_HEADER, limits).map(Some);
    }
    let length = usize::from(first);
    if let Some(whole) = length.checked_sub(COMPRESSION_BORDER) {
        return chunk(whole, CHUNK_HEADER, limits).map(Some);
    }
    if length < width.header() {
        return Err(FrameErrorKind::Short { length, header: width.header() });
    }
    if length > limits.packet {
        return Err(FrameErrorKind::LongPacket { length, limit: limits.packet });
    }
    Ok(Some(Frame::Packet(length)))
}

#[cold]
fn chunk(length: usize, header: usize, limits: &FrameLimits) -> Result<Frame, FrameErrorKind> {
    if length > limits.chunk {
        return Err(FrameErrorKind::LongChunk { length, limit: limits.chunk });
    }
    match length.checked_sub(header) {
        Some(compressed) => Ok(Frame::Chunk { header, compressed }),
        None => Err(FrameErrorKind::Short { length, header }),
    }
}
