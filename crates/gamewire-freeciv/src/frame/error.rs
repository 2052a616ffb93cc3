use thiserror::Error;

use super::packet::StreamOffset;

/// Why a stream cannot be taken apart any further, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("frame at byte {place}: {fault}")]
pub struct FrameError {
    /// Where the frame begins.
    pub place: StreamOffset,
    /// What is wrong with it.
    pub fault: FrameErrorKind,
}

/// What is wrong with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameErrorKind {
    /// A length that does not even cover the header.
    #[error("a length of {length}, shorter than a header of {header} bytes")]
    Short {
        /// What stands there.
        length: usize,
        /// Bytes of the header.
        header: usize,
    },
    /// A packet over the limit.
    #[error("a packet of {length} bytes where at most {limit} are allowed")]
    LongPacket {
        /// What stands there.
        length: usize,
        /// [`FrameLimits::packet`](super::FrameLimits::packet).
        limit: usize,
    },
    /// A chunk over the limit.
    #[error("a chunk of {length} bytes where at most {limit} are allowed")]
    LongChunk {
        /// What stands there.
        length: usize,
        /// [`FrameLimits::chunk`](super::FrameLimits::chunk).
        limit: usize,
    },
    /// Chunks nested over the limit.
    #[error("a chunk within {depth} others")]
    Nested {
        /// How many chunks are around it.
        depth: usize,
    },
    /// A chunk inflates to more than it may.
    #[error("a chunk that inflates to more than {limit} bytes")]
    Inflated {
        /// How much was allowed.
        limit: usize,
    },
    /// Not a zlib stream, or one whose checksum is wrong.
    #[error("a chunk that is no valid zlib stream")]
    Corrupt,
    /// The chunk ends before the zlib stream does.
    #[error("a chunk that ends before its zlib stream")]
    Truncated,
    /// The zlib stream ends before the chunk does.
    #[error("{bytes} bytes behind the zlib stream of a chunk")]
    Trailing {
        /// How many bytes are left over.
        bytes: usize,
    },
    /// The last packet of a chunk is not whole.
    #[error("a packet of which {missing} bytes are missing at the end of its chunk")]
    Straddling {
        /// How many bytes are missing.
        missing: usize,
    },
}
