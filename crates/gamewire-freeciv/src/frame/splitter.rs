use core::fmt;

use flate2::Decompress;

use super::error::{FrameError, FrameErrorKind};
use super::header::{self, COMPRESSION_BORDER, Frame, FrameLimits, Packet, StreamOffset, TypeWidth};
use super::inflate::OpenChunk;
use super::writer::write_chunk_header;

/// Approximate bytes of an inflater: its window and its tables.
const ZLIB: usize = 48 << 10;

/// A splitter that divides the stream of one direction into packets. The stream can arrive in pieces of any size.
///
/// It stores at most one incomplete packet, or a chunk and its inflated bytes. After an error the start of the next
/// frame is unknown, so every later call returns the same error.
pub struct FrameSplitter {
    limits: FrameLimits,
    width: TypeWidth,
    state: SplitterState,
    /// The bytes of an incomplete header, packet or chunk, or of the packet that was returned last.
    part: Vec<u8>,
    /// Offset of the current frame.
    start: u64,
    /// Bytes of the stream that were consumed.
    offset: u64,
    /// The inflater, created for the first chunk.
    zlib: Option<Decompress>,
    /// Inflated chunks with unread packets, outermost first. Their buffers are reused.
    levels: Vec<OpenChunk>,
    /// Number of chunks in use.
    depth: usize,
    /// Bytes that all chunks up to now inflated to.
    inflated: u64,
}

/// The state of a splitter.
#[derive(Clone, Copy, Debug)]
enum SplitterState {
    /// At the start of a frame, or in its header.
    Header,
    /// In a packet of this many bytes.
    Packet(usize),
    /// After a packet that was borrowed from `part`.
    Lent,
    /// In a chunk with `compressed` bytes of zlib, which may inflate to at most `limit` bytes.
    Chunk { compressed: usize, limit: usize },
    /// After an error.
    Failed(FrameError),
}

/// The location of the next packet.
enum PacketSource<'d> {
    /// In the data that was passed in.
    Read(&'d [u8]),
    /// In `part`.
    Part,
    /// In this range of the innermost chunk.
    Chunk(usize, usize),
}

impl FrameSplitter {
    /// Creates a splitter at the start of a stream, where types have one byte.
    pub const fn new(limits: FrameLimits) -> Self {
        Self {
            limits,
            width: TypeWidth::One,
            state: SplitterState::Header,
            part: Vec::new(),
            start: 0,
            offset: 0,
            zlib: None,
            levels: Vec::new(),
            depth: 0,
            inflated: 0,
        }
    }

    /// Expects two-byte types from the next packet on. The server's direction switches automatically at an accepting
    /// join reply.
    pub const fn use_wide_types(&mut self) {
        self.width = TypeWidth::Two;
    }

    /// Changes the limits. They apply from the next frame on.
    pub const fn set_limits(&mut self, limits: FrameLimits) {
        self.limits = limits;
    }

    /// Returns the next packet, and removes the consumed bytes from `data`, the next part of the stream. Returns `None`
    /// if all of `data` is consumed and no packet is complete. A packet that is completely in `data` is not copied.
    ///
    /// # Errors
    /// [`FrameError`] if a length, a chunk or its content breaks the format or a limit. Every later call returns the
    /// same error.
    pub fn next<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<Packet<'s>>, FrameError> {
        if let Some(source) = self.plain_in_chunk() {
            return self.lend(source);
        }
        self.next_slow(data)
    }

    /// Returns the next packet if it is not on the fast path.
    #[inline(never)]
    fn next_slow<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<Packet<'s>>, FrameError> {
        if let SplitterState::Failed(error) = self.state {
            return Err(error);
        }
        match self.find(data) {
            Ok(None) => Ok(None),
            Ok(Some(source)) => self.lend(source),
            Err(kind) => Err(self.fail(kind)),
        }
    }

    /// Returns the number of bytes of an incomplete frame. It is above 0 at the end of a truncated stream.
    pub fn pending_bytes(&self) -> u64 {
        match self.state {
            SplitterState::Lent => 0,
            SplitterState::Header if self.part.is_empty() => 0,
            _ if self.depth > 0 => 0,
            _ => self.offset.saturating_sub(self.start),
        }
    }

    /// Returns the bytes of an incomplete frame. The length of a chunk is written in its shortest form.
    pub(crate) fn pending(&self) -> Vec<u8> {
        match self.state {
            SplitterState::Header | SplitterState::Packet(_) => self.part.clone(),
            SplitterState::Chunk { compressed, .. } => {
                let mut pending = Vec::new();
                write_chunk_header(compressed, &mut pending);
                pending.extend_from_slice(&self.part);
                pending
            }
            SplitterState::Lent | SplitterState::Failed(_) => Vec::new(),
        }
    }

    /// Returns the number of consumed bytes of the stream.
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the approximate bytes on the heap.
    pub fn held_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| level.bytes.capacity());
        let zlib = if self.zlib.is_some() { ZLIB } else { 0 };
        levels.fold(self.part.capacity().saturating_add(zlib), usize::saturating_add)
    }

    /// Returns the bytes that all chunks up to now inflated to.
    pub const fn inflated(&self) -> u64 {
        self.inflated
    }

    /// Returns the width of the next packet's type.
    pub const fn width(&self) -> TypeWidth {
        self.width
    }

    /// Returns the next packet of the innermost chunk if it is a plain packet, as nearly all are.
    #[inline(always)]
    fn plain_in_chunk<'d>(&mut self) -> Option<PacketSource<'d>> {
        let level = self.levels.get_mut(self.depth.checked_sub(1)?)?;
        let rest = level.bytes.get(level.at..)?;
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
        let max = self.limits.packet.min(COMPRESSION_BORDER.saturating_sub(1)).min(rest.len());
        if length < self.width.header() || length > max {
            return None;
        }
        let from = level.at;
        level.at = from.saturating_add(length);
        Some(PacketSource::Chunk(from, level.at))
    }

    fn find<'d>(&mut self, data: &mut &'d [u8]) -> Result<Option<PacketSource<'d>>, FrameErrorKind> {
        loop {
            if self.depth > 0 {
                match self.next_in_chunk()? {
                    Some((from, to)) => return Ok(Some(PacketSource::Chunk(from, to))),
                    None => continue,
                }
            }
            match self.state {
                SplitterState::Lent => {
                    self.part.clear();
                    self.state = SplitterState::Header;
                }
                SplitterState::Header => {
                    if self.part.is_empty() {
                        self.start = self.offset;
                    }
                    let Some(frame) = self.read_header(data)? else { return Ok(None) };
                    match frame {
                        Frame::Chunk { header, compressed } => {
                            // A header that arrived in pieces is already in `part`.
                            let rest = header.saturating_sub(self.part.len());
                            self.consume(data, rest);
                            self.part.clear();
                            let limit = self.limits.inflated_from(compressed);
                            self.state = SplitterState::Chunk { compressed, limit };
                        }
                        Frame::Packet(length) if self.part.is_empty() && data.len() >= length => {
                            return Ok(Some(PacketSource::Read(self.consume(data, length))));
                        }
                        Frame::Packet(length) => self.state = SplitterState::Packet(length),
                    }
                }
                SplitterState::Packet(length) => {
                    let missing = length.saturating_sub(self.part.len());
                    let piece = self.consume(data, missing);
                    self.part.extend_from_slice(piece);
                    if self.part.len() < length {
                        return Ok(None);
                    }
                    self.state = SplitterState::Lent;
                    return Ok(Some(PacketSource::Part));
                }
                SplitterState::Chunk { compressed, limit } => {
                    if !self.inflate_chunk(data, compressed, limit)? {
                        return Ok(None);
                    }
                }
                SplitterState::Failed(_) => return Ok(None),
            }
        }
    }

    /// Reads the header of the current frame. Its bytes stay in `data` if all of them are there, and move to `part` if
    /// the header arrives in pieces.
    fn read_header(&mut self, data: &mut &[u8]) -> Result<Option<Frame>, FrameErrorKind> {
        if self.part.is_empty()
            && let Some(frame) = header::read(data, self.width, &self.limits)?
        {
            return Ok(Some(frame));
        }
        loop {
            let piece = self.consume(data, 1);
            if piece.is_empty() {
                return Ok(None);
            }
            self.part.extend_from_slice(piece);
            if let Some(frame) = header::read(&self.part, self.width, &self.limits)? {
                return Ok(Some(frame));
            }
        }
    }

    /// Collects the bytes of a chunk. Once they are complete, inflates the chunk and returns true. One call of zlib for
    /// the whole chunk is much faster than a call for each piece.
    fn inflate_chunk(
        &mut self,
        data: &mut &[u8],
        compressed: usize,
        limit: usize,
    ) -> Result<bool, FrameErrorKind> {
        let missing = compressed.saturating_sub(self.part.len());
        let mut piece = self.consume(data, missing);
        if piece.len() < compressed {
            self.part.extend_from_slice(piece);
            if piece.len() < missing {
                return Ok(false);
            }
            piece = &self.part;
        }
        if self.levels.is_empty() {
            self.levels.push(OpenChunk::default());
        }
        let Some(level) = self.levels.first_mut() else { return Ok(false) };
        level.inflate(&mut self.zlib, piece, limit)?;
        self.part.clear();
        self.inflated = self.inflated.saturating_add(level.bytes.len() as u64);
        self.state = SplitterState::Header;
        self.depth = 1;
        Ok(true)
    }

    /// Returns the range of the next packet in the innermost chunk, or `None` if a chunk starts or ends instead.
    fn next_in_chunk(&mut self) -> Result<Option<(usize, usize)>, FrameErrorKind> {
        let inner = self.depth.saturating_sub(1);
        let Some(level) = self.levels.get_mut(inner) else {
            self.depth = 0;
            return Ok(None);
        };
        let rest = level.bytes.get(level.at..).unwrap_or_default();
        if rest.is_empty() {
            self.depth = inner;
            return Ok(None);
        }
        let straddling =
            |length: usize| FrameErrorKind::Straddling { missing: length.saturating_sub(rest.len()).max(1) };
        let Some(frame) = header::read(rest, self.width, &self.limits)? else {
            return Err(straddling(self.width.header()));
        };
        let length = match frame {
            Frame::Packet(length) => length,
            Frame::Chunk { .. } if self.depth >= self.limits.depth => {
                return Err(FrameErrorKind::Nested { depth: self.depth });
            }
            Frame::Chunk { header, compressed } => header.saturating_add(compressed),
        };
        if rest.len() < length {
            return Err(straddling(length));
        }
        let from = level.at;
        let to = from.saturating_add(length);
        if let Frame::Chunk { header, compressed } = frame {
            self.inflate_nested(from.saturating_add(header)..to, compressed)?;
            return Ok(None);
        }
        level.at = to;
        Ok(Some((from, to)))
    }

    /// Inflates a chunk inside the innermost one.
    #[cold]
    fn inflate_nested(
        &mut self,
        range: core::ops::Range<usize>,
        compressed: usize,
    ) -> Result<(), FrameErrorKind> {
        let used: usize = self.levels.iter().take(self.depth).map(|level| level.bytes.len()).sum();
        let left = self.limits.inflated.saturating_sub(used);
        let limit = self.limits.inflated_from(compressed).min(left);
        if self.levels.len() <= self.depth {
            self.levels.push(OpenChunk::default());
        }
        let (outer, inner) = self.levels.split_at_mut(self.depth);
        let (Some(outer), Some(inner)) = (outer.last_mut(), inner.first_mut()) else { return Ok(()) };
        inner.inflate(&mut self.zlib, outer.bytes.get(range.clone()).unwrap_or_default(), limit)?;
        outer.at = range.end;
        self.inflated = self.inflated.saturating_add(inner.bytes.len() as u64);
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// Consumes the first `count` bytes of `data`, or all bytes if there are fewer.
    fn consume<'d>(&mut self, data: &mut &'d [u8], count: usize) -> &'d [u8] {
        let (piece, rest) = data.split_at(count.min(data.len()));
        *data = rest;
        self.offset = self.offset.saturating_add(piece.len() as u64);
        piece
    }

    #[inline(always)]
    fn lend<'s, 'd: 's>(&'s mut self, source: PacketSource<'d>) -> Result<Option<Packet<'s>>, FrameError> {
        let (bytes, chunk, inflated): (&'s [u8], &'s [u8], _) = match source {
            PacketSource::Read(bytes) => (bytes, &[], None),
            PacketSource::Part => (&self.part, &[], None),
            PacketSource::Chunk(from, to) => {
                let level = self.depth.checked_sub(1).and_then(|inner| self.levels.get(inner));
                let chunk = level.map_or(&[][..], |level| &level.bytes);
                (chunk.get(from..to).unwrap_or_default(), chunk, Some(from))
            }
        };
        let (width, offset) = (self.width, StreamOffset { stream: self.start, inflated });
        let (number, body) = match (width, bytes) {
            (TypeWidth::One, [_, _, number, body @ ..]) => (u16::from(*number), body),
            (TypeWidth::Two, [_, _, high, low, body @ ..]) => (u16::from_be_bytes([*high, *low]), body),
            // The type became wider while the packet arrived, and the packet is too short for it.
            _ => {
                let kind = FrameErrorKind::Short { length: bytes.len(), header: width.header() };
                let error = FrameError { offset, kind };
                self.state = SplitterState::Failed(error);
                return Err(error);
            }
        };
        self.width = width.after(number, body);
        Ok(Some(Packet { number, body, bytes, chunk, width, offset }))
    }

    #[cold]
    fn fail(&mut self, kind: FrameErrorKind) -> FrameError {
        let inner = self.depth.checked_sub(1).and_then(|inner| self.levels.get(inner));
        let offset = StreamOffset { stream: self.start, inflated: inner.map(|level| level.at) };
        let error = FrameError { offset, kind };
        self.state = SplitterState::Failed(error);
        self.depth = 0;
        self.part = Vec::new();
        self.levels = Vec::new();
        self.zlib = None;
        error
    }
}

impl Default for FrameSplitter {
    fn default() -> Self {
        Self::new(FrameLimits::DEFAULT)
    }
}

impl fmt::Debug for FrameSplitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FrameSplitter").field("offset", &self.offset).finish_non_exhaustive()
    }
}
