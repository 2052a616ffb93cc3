use flate2::{Compress, Compression, FlushCompress, Status};
use thiserror::Error;

use super::header::{
    self, CHUNK_HEADER, COMPRESSION_BORDER, JUMBO_HEADER, JUMBO_SIZE, MIN_JUMBO_SIZE, TypeWidth,
};

/// A writer for the packets of one direction of a stream.
///
/// Between [`freeze`](Self::freeze) and [`thaw`](Self::thaw) packets are collected. They are written together as a
/// chunk, or as plain packets if compression does not make them smaller.
#[derive(Debug)]
pub struct FrameWriter {
    width: TypeWidth,
    level: CompressionLevel,
    /// Number of freezes that have no thaw yet.
    frozen: u32,
    /// Collected packets.
    queue: Vec<u8>,
    compressed: Vec<u8>,
    /// The compressor, created for the first chunk.
    zlib: Option<Box<Compress>>,
}

/// Compression level of chunks: 0 is no compression, 1 the fastest, 9 the smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CompressionLevel(u8);

impl CompressionLevel {
    /// Packets are never compressed.
    pub const NONE: Self = Self(0);
    /// The default of zlib.
    pub const DEFAULT: Self = Self(6);

    /// Returns the level with this number. Invalid numbers and -1 give the default, as in Freeciv.
    pub fn new(level: i64) -> Self {
        match u8::try_from(level) {
            Ok(level @ 0..=9) => Self(level),
            _ => Self::DEFAULT,
        }
    }

    /// Parses a level in the form of `FREECIV_COMPRESSION_LEVEL`: -1 to 9. Other texts give the default.
    pub fn from_text(text: &str) -> Self {
        text.trim().parse().map_or(Self::DEFAULT, Self::new)
    }

    /// Returns the number from 0 to 9.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }
}

impl Default for CompressionLevel {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The error for a packet that cannot be written. No part of it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// The packet is longer than a receiver accepts.
    #[error("packet of {length} bytes; at most {limit} are allowed")]
    LongPacket {
        /// Bytes of the packet, header included.
        length: usize,
        /// [`FrameWriter::MAX_PACKET`].
        limit: usize,
    },
    /// The type does not fit in one byte, its width before the join reply.
    #[error("packet type {number} needs two bytes, which it has only after the join reply")]
    LongType {
        /// The type.
        number: u16,
    },
}

impl FrameWriter {
    /// Maximum bytes of a packet, header included.
    pub const MAX_PACKET: usize = 4096;
    /// Maximum bytes that Freeciv collects for a chunk.
    pub const MAX_QUEUE_BYTES: usize = header::MAX_QUEUE_BYTES;

    /// Creates a writer at the start of a stream, where types have one byte.
    pub const fn new(level: CompressionLevel) -> Self {
        Self {
            width: TypeWidth::One,
            level,
            frozen: 0,
            queue: Vec::new(),
            compressed: Vec::new(),
            zlib: None,
        }
    }

    /// Writes two-byte types from the next packet on. A server's writer switches automatically at an accepting join
    /// reply.
    pub const fn use_wide_types(&mut self) {
        self.width = TypeWidth::Two;
    }

    /// Writes a packet to the end of `out`, or collects it if frozen.
    ///
    /// # Errors
    /// [`WriteError`] if the length or type does not fit in a packet. Nothing is written or collected.
    pub fn write(&mut self, number: u16, body: &[u8], out: &mut Vec<u8>) -> Result<(), WriteError> {
        let whole = self.width.header().saturating_add(body.len());
        let length = match u16::try_from(whole) {
            Ok(length) if whole <= Self::MAX_PACKET => length,
            _ => return Err(WriteError::LongPacket { length: whole, limit: Self::MAX_PACKET }),
        };
        let [high, low] = number.to_be_bytes();
        if self.width == TypeWidth::One && high != 0 {
            return Err(WriteError::LongType { number });
        }
        if self.queue.len().saturating_add(whole) > Self::MAX_QUEUE_BYTES {
            self.flush(out);
        }
        let to = if self.frozen == 0 { out } else { &mut self.queue };
        to.extend_from_slice(&length.to_be_bytes());
        match self.width {
            TypeWidth::One => to.push(low),
            TypeWidth::Two => to.extend_from_slice(&[high, low]),
        }
        to.extend_from_slice(body);
        self.width = self.width.after(number, body);
        Ok(())
    }

    /// Collects packets until the matching [`thaw`](Self::thaw).
    pub const fn freeze(&mut self) {
        self.frozen = self.frozen.saturating_add(1);
    }

    /// Ends the last [`freeze`](Self::freeze). If no freeze is left, writes the collected packets to the end of `out`.
    /// A thaw without a freeze has no effect.
    pub fn thaw(&mut self, out: &mut Vec<u8>) {
        self.frozen = self.frozen.saturating_sub(1);
        if self.frozen == 0 {
            self.flush(out);
        }
    }

    /// Writes the collected packets to the end of `out`, even if frozen.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        if self.queue.is_empty() {
            return;
        }
        if self.compress() {
            write_chunk_header(self.compressed.len(), out);
            out.extend_from_slice(&self.compressed);
        } else {
            out.extend_from_slice(&self.queue);
        }
        self.queue.clear();
    }

    /// Returns the number of bytes of the collected packets.
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Compresses the collected packets. Returns whether the chunk is smaller than the packets, including its header.
    fn compress(&mut self) -> bool {
        if self.level == CompressionLevel::NONE {
            return false;
        }
        let level = Compression::new(u32::from(self.level.get()));
        let zlib = self.zlib.get_or_insert_with(|| Box::new(Compress::new(level, true)));
        zlib.reset();
        self.compressed.clear();
        // A chunk larger than the packets is of no use, so this capacity is enough.
        self.compressed.reserve(self.queue.len());
        let status = zlib.compress_vec(&self.queue, &mut self.compressed, FlushCompress::Finish);
        let whole = chunk_header(self.compressed.len()).saturating_add(self.compressed.len());
        matches!(status, Ok(Status::StreamEnd)) && whole < self.queue.len()
    }
}

/// Writes the header of a chunk with `compressed` bytes of zlib to the end of `out`.
pub(super) fn write_chunk_header(compressed: usize, out: &mut Vec<u8>) {
    let header = chunk_header(compressed);
    let whole = header.saturating_add(compressed);
    match u16::try_from(whole.saturating_add(COMPRESSION_BORDER)) {
        Ok(length) if header == CHUNK_HEADER => out.extend_from_slice(&length.to_be_bytes()),
        _ => {
            out.extend_from_slice(&JUMBO_SIZE.to_be_bytes());
            out.extend_from_slice(&u32::try_from(whole).unwrap_or(u32::MAX).to_be_bytes());
        }
    }
}

/// Returns the bytes of the header of a chunk with `compressed` bytes of zlib.
const fn chunk_header(compressed: usize) -> usize {
    if compressed.saturating_add(CHUNK_HEADER) >= MIN_JUMBO_SIZE { JUMBO_HEADER } else { CHUNK_HEADER }
}
