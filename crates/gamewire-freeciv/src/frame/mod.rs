//! Packets in a byte stream.
//!
//! A plain packet is a 16-bit length, which includes the header, followed by a type and a body. The type has one byte
//! up to and including the server's accepting join reply. It has two bytes in all later packets, even in the chunk that
//! contains the reply. A length above the maximum of a packet announces a chunk: an independent zlib stream of whole
//! packets.
//!
//! A [`FrameSplitter`] reads the stream, a [`FrameWriter`] writes it.

mod error;
mod header;
mod inflate;
mod splitter;
mod writer;

pub use error::{FrameError, FrameErrorKind};
pub use header::{FrameLimits, JOIN_REPLY, Packet, StreamOffset, TypeWidth};
pub use splitter::FrameSplitter;
pub use writer::{CompressionLevel, FrameWriter, WriteError};
