//! A stream of bytes and the packets in it.
//!
//! A plain packet is a 16-bit length (header included), a type and a body. The type has one byte up to the server's
//! accepting join reply, and two bytes in all packets after it, also within the chunk that holds the reply. A length
//! above those of packets announces a chunk: an independent zlib stream of whole packets.
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
