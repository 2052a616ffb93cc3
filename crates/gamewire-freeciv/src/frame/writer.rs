use flate2::{Compress, Compression, FlushCompress, Status};
use thiserror::Error;

use super::header::{self, CHUNK_HEADER, COMPRESSION_BORDER, JUMBO_BORDER, JUMBO_HEADER, JUMBO_SIZE};
use super::level::CompressionLevel;
use super::packet::TypeWidth;

/// Puts packets together to the stream of one direction.
///
/// Between [`freeze`](Self::freeze) and [`thaw`](Self::thaw) packets wait, and leave together as a
/// chunk, or plain where compressing does not help.
#[derive(Debug)]
pub struct FrameWriter {
    width: TypeWidth,
    level: CompressionLevel,
    queue_limit: usize,
    /// How many freezes have not been thawed.
    frozen: u32,
    /// Packets that wait.
    queue: Vec<u8>,
    compressed: Vec<u8>,
    /// Made by the first chunk.
    zlib: Option<Box<Compress>>,
}

/// Why a packet cannot be written. Nothing of it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WriteError {
    /// It is longer than any receiver takes.
    #[error("a packet of {length} bytes where at most {limit} are allowed")]
    LongPacket {
        /// Bytes of the packet, header included.
        length: usize,
        /// [`FrameWriter::MAX_PACKET`].
        limit: usize,
    },
    /// Its type does not fit in the one byte that types have before the join reply.
    #[error("a type of {number} before the join reply")]
    LongType {
        /// The type.
        number: u16,
    },
}

impl FrameWriter {
    /// Bytes that a packet may have, header included.
    pub const MAX_PACKET: usize = 4096;
    /// Bytes that wait at most in Freeciv.
    pub const QUEUE_LIMIT: usize = header::QUEUE_LIMIT;

    /// At the start of a stream, where types have one byte.
    #[must_use]
    pub const fn new(level: CompressionLevel) -> Self {
        Self {
            width: TypeWidth::One,
            level,
            queue_limit: Self::QUEUE_LIMIT,
            frozen: 0,
            queue: Vec::new(),
            compressed: Vec::new(),
            zlib: None,
        }
    }

    /// Lets at most so many bytes wait; what would go beyond leaves as a chunk of its own.
    #[must_use]
    pub const fn with_queue_limit(mut self, bytes: usize) -> Self {
        self.queue_limit = bytes;
        self
    }

    /// From the next packet on types have two bytes. After an accepting join reply this happens by
    /// itself; the client's own direction needs to be told of it.
    pub const fn use_wide_types(&mut self) {
        self.width = TypeWidth::Two;
    }

    /// Writes a packet to the end of `out`, or lets it wait if frozen.
    ///
    /// # Errors
    /// When its length or type fits in no packet; nothing has changed then.
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
        if self.queue.len().saturating_add(whole) > self.queue_limit {
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

    /// Lets packets wait until the matching [`thaw`](Self::thaw).
    pub const fn freeze(&mut self) {
        self.frozen = self.frozen.saturating_add(1);
    }

    /// Ends the last [`freeze`](Self::freeze); with the first one ended, what waited goes to the end
    /// of `out`. More thaws than freezes change nothing.
    pub fn thaw(&mut self, out: &mut Vec<u8>) {
        self.frozen = self.frozen.saturating_sub(1);
        if self.frozen == 0 {
            self.flush(out);
        }
    }

    /// Writes what waits to the end of `out`, frozen or not.
    pub fn flush(&mut self, out: &mut Vec<u8>) {
        if self.queue.is_empty() {
            return;
        }
        if self.compress() {
            self.write_chunk(out);
        } else {
            out.extend_from_slice(&self.queue);
        }
        self.queue.clear();
    }

    /// How many bytes wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Compresses what waits; whether that makes it smaller, header and all.
    fn compress(&mut self) -> bool {
        if self.level == CompressionLevel::NONE {
            return false;
        }
        let level = Compression::new(u32::from(self.level.get()));
        let zlib = self.zlib.get_or_insert_with(|| Box::new(Compress::new(level, true)));
        zlib.reset();
        self.compressed.clear();
        // What needs more room than the packets themselves is no gain.
        self.compressed.reserve(self.queue.len());
        let status = zlib.compress_vec(&self.queue, &mut self.compressed, FlushCompress::Finish);
        let whole = chunk_header(self.compressed.len()).saturating_add(self.compressed.len());
        matches!(status, Ok(Status::StreamEnd)) && whole < self.queue.len()
    }

    fn write_chunk(&self, out: &mut Vec<u8>) {
        let header = chunk_header(self.compressed.len());
        let whole = header.saturating_add(self.compressed.len());
        let short = whole.saturating_add(COMPRESSION_BORDER);
        match u16::try_from(short) {
            Ok(length) if header == CHUNK_HEADER => out.extend_from_slice(&length.to_be_bytes()),
            _ => {
                out.extend_from_slice(&JUMBO_SIZE.to_be_bytes());
                out.extend_from_slice(&u32::try_from(whole).unwrap_or(u32::MAX).to_be_bytes());
            }
        }
        out.extend_from_slice(&self.compressed);
    }
}

/// Bytes of the header in front of so many bytes of zlib.
const fn chunk_header(compressed: usize) -> usize {
    if compressed.saturating_add(CHUNK_HEADER) >= JUMBO_BORDER { JUMBO_HEADER } else { CHUNK_HEADER }
}
