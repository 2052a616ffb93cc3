//! Packets and chunks, their headers and limits.

use core::fmt;

use super::error::FrameErrorKind;

/// The first length value that means a chunk. A chunk of `n` bytes has the length `n` plus this value.
pub(super) const COMPRESSION_BORDER: usize = 16 * 1024 + 1;
/// The length value that announces a 32-bit length after it.
pub(super) const JUMBO_SIZE: u16 = 0xffff;
/// The minimum size of a chunk, including its header, that needs a 32-bit length.
pub(super) const MIN_JUMBO_SIZE: usize = 65_536 - COMPRESSION_BORDER - 1;
/// Maximum bytes of packets that are compressed together.
pub(super) const MAX_QUEUE_BYTES: usize = 262_144;
/// Bytes of a chunk's header with a 16-bit length.
pub(super) const CHUNK_HEADER: usize = 2;
/// Bytes of a chunk's header with a 32-bit length.
pub(super) const JUMBO_HEADER: usize = 6;
/// Number of SERVER_JOIN_REPLY, which accepts or rejects a client.
pub const JOIN_REPLY: u16 = 5;

/// Width of the type in a packet's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TypeWidth {
    /// One byte, up to and including the accepting join reply.
    One,
    /// Two bytes, after the accepting join reply.
    Two,
}

impl TypeWidth {
    /// Returns the bytes of a packet's header, which is the length and the type.
    #[must_use]
    pub const fn header(self) -> usize {
        match self {
            Self::One => 3,
            Self::Two => 4,
        }
    }

    /// Returns the width after a packet. The accepting join reply is the last packet with a one-byte type.
    pub(super) fn after(self, number: u16, body: &[u8]) -> Self {
        match body {
            [1, ..] if number == JOIN_REPLY => Self::Two,
            _ => self,
        }
    }
}

/// The position of a packet in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamOffset {
    /// Offset of the packet in the stream, or of the chunk that contains it.
    pub stream: u64,
    /// Offset in the inflated bytes of the innermost chunk; `None` outside chunks.
    pub inflated: Option<usize>,
}

/// Displays as `120` or, inside a chunk, as `120+7`.
impl fmt::Display for StreamOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.stream)?;
        self.inflated.map_or(Ok(()), |inflated| write!(f, "+{inflated}"))
    }
}

/// A packet of a stream, borrowed from the splitter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The type of the packet.
    pub number: u16,
    /// The bytes after the header.
    pub body: &'a [u8],
    /// The whole packet: header and body.
    pub bytes: &'a [u8],
    /// The inflated bytes of the innermost chunk; empty outside chunks.
    pub chunk: &'a [u8],
    /// The width of the type in the header.
    pub width: TypeWidth,
    /// The position of the packet.
    pub offset: StreamOffset,
}

/// Limits of a peer's stream. Exceeding one is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimits {
    /// Maximum bytes of a plain packet, including its header. The format allows 16,384.
    pub packet: usize,
    /// Maximum bytes of a chunk on the wire, including its header. No server sends more than about 262,250.
    pub chunk: usize,
    /// Maximum bytes that a chunk inflates to, including nested chunks.
    pub inflated: usize,
    /// Maximum ratio of inflated to compressed bytes of a chunk. A chunk may always inflate to 262,144 bytes, which is
    /// the most that a sender collects. Freeciv's limit is 400.
    pub ratio: usize,
    /// Maximum nesting of chunks: 1 allows chunks of packets, 2 also chunks of chunks. No server nests chunks.
    pub depth: usize,
}

impl FrameLimits {
    /// No nested chunks, and chunks of at most 1 MiB that inflate to at most 4 MiB.
    pub const DEFAULT: Self =
        Self { packet: 16_384, chunk: 1 << 20, inflated: 4 << 20, ratio: 400, depth: 1 };

    /// Returns the maximum bytes that a chunk with `compressed` bytes of zlib may inflate to.
    pub(super) fn inflated_from(&self, compressed: usize) -> usize {
        self.inflated.min(self.ratio.saturating_mul(compressed).max(MAX_QUEUE_BYTES))
    }
}

/// The content of a frame's header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// A packet of this many bytes, including its header.
    Packet(usize),
    /// A chunk, with the bytes of its header and of its zlib stream.
    Chunk { header: usize, compressed: usize },
}

/// Reads the header of a frame. Returns `None` if more bytes are needed.
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
