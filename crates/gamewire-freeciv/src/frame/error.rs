use thiserror::Error;

use super::header::StreamOffset;

/// The error for a stream that cannot be split any further, with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid frame at byte {offset}: {kind}")]
pub struct FrameError {
    /// Start of the frame.
    pub offset: StreamOffset,
    /// The kind of error.
    pub kind: FrameErrorKind,
}

/// A kind of error in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameErrorKind {
    /// The length does not cover the header.
    #[error("the length {length} is shorter than the header of {header} bytes")]
    Short {
        /// The length in the header.
        length: usize,
        /// Bytes of the header.
        header: usize,
    },
    /// The packet exceeds the limit.
    #[error("packet of {length} bytes; at most {limit} are allowed")]
    LongPacket {
        /// The length in the header.
        length: usize,
        /// [`FrameLimits::packet`](super::FrameLimits::packet).
        limit: usize,
    },
    /// The chunk exceeds the limit.
    #[error("chunk of {length} bytes; at most {limit} are allowed")]
    LongChunk {
        /// The length in the header.
        length: usize,
        /// [`FrameLimits::chunk`](super::FrameLimits::chunk).
        limit: usize,
    },
    /// Chunks are nested more deeply than the limit.
    #[error("chunk nested in {depth} other chunks")]
    Nested {
        /// Number of chunks around this one.
        depth: usize,
    },
    /// The chunk inflates to more than the limit.
    #[error("chunk inflates to more than {limit} bytes")]
    Inflated {
        /// The limit in bytes.
        limit: usize,
    },
    /// The chunk is not a valid zlib stream.
    #[error("chunk is not a valid zlib stream")]
    Corrupt,
    /// The chunk ends before its zlib stream does.
    #[error("chunk ends before its zlib stream")]
    Truncated,
    /// The zlib stream ends before the chunk does.
    #[error("{bytes} bytes after the zlib stream of a chunk")]
    Trailing {
        /// Number of bytes after the zlib stream.
        bytes: usize,
    },
    /// The last packet of a chunk is incomplete.
    #[error("packet at the end of a chunk lacks {missing} bytes")]
    Straddling {
        /// Number of missing bytes.
        missing: usize,
    },
}
