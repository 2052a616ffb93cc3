//! A stream of bytes and the packets in it.
//!
//! A plain packet is a length of 16 bits (itself included), a type and a body. The type has one
//! byte until the server's accepting join reply, and two in all packets after it, also within
//! the chunk that holds the reply. A length that no packet has announces a chunk: a zlib stream
//! of its own, which holds a run of whole packets.
//!
//! A [`FrameSplitter`] reads, a [`FrameWriter`] writes.

mod error;
mod header;
mod inflate;
mod level;
mod limits;
mod packet;
mod splitter;
mod state;
mod writer;

pub use error::{FrameError, FrameErrorKind};
pub use level::CompressionLevel;
pub use limits::FrameLimits;
pub use packet::{JOIN_REPLY, Packet, StreamOffset, TypeWidth};
pub use splitter::FrameSplitter;
pub use writer::{FrameWriter, WriteError};
