use core::fmt;
use core::mem;

use super::error::{FrameError, FrameErrorKind};
use super::header::{self, COMPRESSION_BORDER, Frame};
use super::inflate::Inflater;
use super::limits::FrameLimits;
use super::packet::{Packet, StreamOffset, TypeWidth};
use super::state::{OpenChunk, PacketSource, SplitterState};

/// About how many bytes an inflater keeps: its window and its tables.
const ZLIB: usize = 48 << 10;

/// Takes the stream of one direction apart into packets, however it was cut on its way.
///
/// It keeps at most one unfinished packet, or a chunk and what it inflates to. After an error nothing
/// says where the next frame would begin: from then on it is always the same error.
pub struct FrameSplitter {
    limits: FrameLimits,
    width: TypeWidth,
    state: SplitterState,
    /// What has come of a header, packet or chunk that is not complete, or the packet lent last.
    part: Vec<u8>,
    /// Where the frame at hand begins.
    start: u64,
    /// Bytes of the stream that are used.
    offset: u64,
    /// Made by the first chunk.
    inflater: Option<Inflater>,
    /// Chunks that are inflated and not used up, the outermost first; their buffers are kept.
    levels: Vec<OpenChunk>,
    /// How many of them are in use.
    depth: usize,
    /// What all chunks so far inflated to.
    inflated: u64,
}

impl FrameSplitter {
    /// At the start of a stream, where types have one byte.
    #[must_use]
    pub const fn new(limits: FrameLimits) -> Self {
        Self {
            limits,
            width: TypeWidth::One,
            state: SplitterState::Header,
            part: Vec::new(),
            start: 0,
            offset: 0,
            inflater: None,
            levels: Vec::new(),
            depth: 0,
            inflated: 0,
        }
    }

    /// From the next packet on types have two bytes. After an accepting join reply this happens by
    /// itself; the client's own direction needs to be told of it.
    pub const fn use_wide_types(&mut self) {
        self.width = TypeWidth::Two;
    }

    /// Changes what the stream may cost, from the next frame on.
    pub const fn set_limits(&mut self, limits: FrameLimits) {
        self.limits = limits;
    }

    /// The next packet. `data` is what came of the stream, and loses what is used; `None` when all
    /// of it is and the packet has not ended. A packet that lies in `data` as a whole is not copied.
    ///
    /// # Errors
    /// When a length, a chunk or what is in it breaks the format or the limits; from then on always
    /// the same.
    pub fn next<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<Packet<'s>>, FrameError> {
        if let Some(whole) = self.plain_in_chunk() {
            return self.lend(whole);
        }
        self.next_of_any(data)
    }

    /// The next packet, whatever comes before it.
    #[inline(never)]
    fn next_of_any<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<Packet<'s>>, FrameError> {
        if let SplitterState::Failed(error) = self.state {
            return Err(error);
        }
        match self.find(data) {
            Ok(None) => Ok(None),
            Ok(Some(whole)) => self.lend(whole),
            Err(fault) => Err(self.fail(fault)),
        }
    }

    /// How many bytes of an unfinished frame have come: not 0 at the end of a stream means that it
    /// was cut off.
    #[must_use]
    pub fn pending_bytes(&self) -> u64 {
        match self.state {
            SplitterState::Lent => 0,
            SplitterState::Header if self.part.is_empty() => 0,
            _ if self.depth > 0 => 0,
            _ => self.offset.saturating_sub(self.start),
        }
    }

    /// How many bytes of the stream are used: all that came, but for what is left of the last piece.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// About how many bytes of memory it keeps beside itself.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let levels = self.levels.iter().map(|level| level.bytes.capacity());
        let zlib = if self.inflater.is_some() { ZLIB } else { 0 };
        levels.fold(self.part.capacity().saturating_add(zlib), usize::saturating_add)
    }

    /// How many bytes all chunks so far inflated to.
    #[must_use]
    pub const fn inflated(&self) -> u64 {
        self.inflated
    }

    /// How wide the type of the next packet is.
    #[must_use]
    pub const fn width(&self) -> TypeWidth {
        self.width
    }

    /// The next packet of the innermost chunk, if that is what is there: nearly all are.
    #[inline(always)]
    fn plain_in_chunk<'d>(&mut self) -> Option<PacketSource<'d>> {
        let level = self.levels.get_mut(self.depth.checked_sub(1)?)?;
        let rest = level.bytes.get(level.at..)?;
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
        let most = self.limits.packet.min(COMPRESSION_BORDER.saturating_sub(1)).min(rest.len());
        if length < self.width.header() || length > most {
            return None;
        }
        let from = level.at;
        level.at = from.saturating_add(length);
        Some(PacketSource::Chunk(from, level.at))
    }

    fn find<'d>(&mut self, data: &mut &'d [u8]) -> Result<Option<PacketSource<'d>>, FrameErrorKind> {
        loop {
            if self.depth > 0 {
                match self.in_chunk()? {
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
                    let Some(frame) = self.header(data)? else { return Ok(None) };
                    match frame {
                        Frame::Chunk { header, compressed } => {
                            // In pieces it is in `part` already.
                            let used = header.saturating_sub(self.part.len());
                            self.use_up(data, used);
                            self.part.clear();
                            self.begin_chunk(compressed);
                        }
                        Frame::Packet(length) if self.part.is_empty() && data.len() >= length => {
                            return Ok(Some(PacketSource::Read(self.use_up(data, length))));
                        }
                        Frame::Packet(length) => self.state = SplitterState::Packet(length),
                    }
                }
                SplitterState::Packet(length) => {
                    let missing = length.saturating_sub(self.part.len());
                    let piece = self.use_up(data, missing);
                    self.part.extend_from_slice(piece);
                    if self.part.len() < length {
                        return Ok(None);
                    }
                    self.state = SplitterState::Lent;
                    return Ok(Some(PacketSource::Part));
                }
                SplitterState::Chunk => {
                    if !self.chunk(data)? {
                        return Ok(None);
                    }
                }
                SplitterState::Failed(_) => return Ok(None),
            }
        }
    }

    /// The header of the frame at hand. Its bytes stay in `data` if all of them are there, and come
    /// to `part` if they come in pieces.
    fn header(&mut self, data: &mut &[u8]) -> Result<Option<Frame>, FrameErrorKind> {
        if self.part.is_empty()
            && let Some(frame) = header::read(data, self.width, &self.limits)?
        {
            return Ok(Some(frame));
        }
        loop {
            let piece = self.use_up(data, 1);
            if piece.is_empty() {
                return Ok(None);
            }
            self.part.extend_from_slice(piece);
            if let Some(frame) = header::read(&self.part, self.width, &self.limits)? {
                return Ok(Some(frame));
            }
        }
    }

    fn begin_chunk(&mut self, compressed: usize) {
        let limit = self.limits.inflated_from(compressed);
        if self.levels.is_empty() {
            self.levels.push(OpenChunk::default());
        }
        if let Some(level) = self.levels.first_mut() {
            level.bytes.clear();
            level.at = 0;
        }
        restart(&mut self.inflater, compressed, limit);
        self.state = SplitterState::Chunk;
    }

    /// Inflates what came of a chunk; whether it is complete.
    fn chunk(&mut self, data: &mut &[u8]) -> Result<bool, FrameErrorKind> {
        let left = self.inflater.as_ref().map_or(0, Inflater::left);
        let missing = left.saturating_sub(self.part.len());
        let mut piece = self.use_up(data, missing);
        // In one go zlib is a good deal quicker than in pieces.
        if piece.len() < left {
            self.part.extend_from_slice(piece);
            if piece.len() < missing {
                return Ok(false);
            }
            piece = &self.part;
        }
        let (Some(inflater), Some(level)) = (&mut self.inflater, self.levels.first_mut()) else {
            return Ok(false);
        };
        inflater.feed(piece, &mut level.bytes)?;
        self.part.clear();
        self.inflated = self.inflated.saturating_add(level.bytes.len() as u64);
        self.state = SplitterState::Header;
        self.depth = 1;
        Ok(true)
    }

    /// The next packet of the innermost chunk, as a range; `None` when it begins or ends.
    fn in_chunk(&mut self) -> Result<Option<(usize, usize)>, FrameErrorKind> {
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
        let Some(frame) = header::read(rest, self.width, &self.limits)? else {
            return Err(straddling(self.width.header(), rest));
        };
        let whole = match frame {
            Frame::Packet(length) => length,
            Frame::Chunk { .. } if self.depth >= self.limits.depth => {
                return Err(FrameErrorKind::Nested { depth: self.depth });
            }
            Frame::Chunk { header, compressed } => header.saturating_add(compressed),
        };
        if rest.len() < whole {
            return Err(straddling(whole, rest));
        }
        let from = level.at;
        let to = from.saturating_add(whole);
        if let Frame::Chunk { header, compressed } = frame {
            self.nested(from.saturating_add(header)..to, compressed)?;
            return Ok(None);
        }
        level.at = to;
        Ok(Some((from, to)))
    }

    /// Inflates a chunk that lies in the innermost one.
    #[cold]
    fn nested(&mut self, range: core::ops::Range<usize>, compressed: usize) -> Result<(), FrameErrorKind> {
        let used: usize = self.levels.iter().take(self.depth).map(|level| level.bytes.len()).sum();
        let left = self.limits.inflated.saturating_sub(used);
        restart(&mut self.inflater, compressed, self.limits.inflated_from(compressed).min(left));
        if self.levels.len() <= self.depth {
            self.levels.push(OpenChunk::default());
        }
        let (outer, inner) = self.levels.split_at_mut(self.depth);
        let (Some(outer), Some(inner), Some(inflater)) =
            (outer.last_mut(), inner.first_mut(), &mut self.inflater)
        else {
            return Ok(());
        };
        inner.bytes.clear();
        inner.at = 0;
        inflater.feed(outer.bytes.get(range.clone()).unwrap_or_default(), &mut inner.bytes)?;
        outer.at = range.end;
        self.inflated = self.inflated.saturating_add(inner.bytes.len() as u64);
        self.depth = self.depth.saturating_add(1);
        Ok(())
    }

    /// The first `count` bytes of `data`, or as many as there are.
    fn use_up<'d>(&mut self, data: &mut &'d [u8], count: usize) -> &'d [u8] {
        let (piece, rest) = data.split_at(count.min(data.len()));
        *data = rest;
        self.offset = self.offset.saturating_add(piece.len() as u64);
        piece
    }

    #[inline(always)]
    fn lend<'s, 'd: 's>(&'s mut self, whole: PacketSource<'d>) -> Result<Option<Packet<'s>>, FrameError> {
        let (bytes, chunk, inflated): (&'s [u8], &'s [u8], _) = match whole {
            PacketSource::Read(bytes) => (bytes, &[], None),
            PacketSource::Part => (&self.part, &[], None),
            PacketSource::Chunk(from, to) => {
                let level = self.depth.checked_sub(1).and_then(|inner| self.levels.get(inner));
                let chunk = level.map_or(&[][..], |level| &level.bytes);
                (chunk.get(from..to).unwrap_or_default(), chunk, Some(from))
            }
        };
        let (width, place) = (self.width, StreamOffset { stream: self.start, inflated });
        let (number, body) = match (width, bytes) {
            (TypeWidth::One, [_, _, number, body @ ..]) => (u16::from(*number), body),
            (TypeWidth::Two, [_, _, high, low, body @ ..]) => (u16::from_be_bytes([*high, *low]), body),
            // The types grew while the packet was on its way.
            _ => {
                let fault = FrameErrorKind::Short { length: bytes.len(), header: width.header() };
                let error = FrameError { place, fault };
                self.state = SplitterState::Failed(error);
                return Err(error);
            }
        };
        self.width = width.after(number, body);
        Ok(Some(Packet { number, body, bytes, chunk, width, offset: place }))
    }

    #[cold]
    fn fail(&mut self, fault: FrameErrorKind) -> FrameError {
        let inner = self.depth.checked_sub(1).and_then(|inner| self.levels.get(inner));
        let place = StreamOffset { stream: self.start, inflated: inner.map(|level| level.at) };
        let error = FrameError { place, fault };
        self.state = SplitterState::Failed(error);
        self.depth = 0;
        self.part = Vec::new();
        self.levels = Vec::new();
        mem::take(&mut self.inflater);
        error
    }
}

fn restart(inflater: &mut Option<Inflater>, compressed: usize, limit: usize) {
    match inflater {
        Some(inflater) => inflater.restart(compressed, limit),
        None => *inflater = Some(Inflater::new(compressed, limit)),
    }
}

fn straddling(whole: usize, rest: &[u8]) -> FrameErrorKind {
    FrameErrorKind::Straddling { missing: whole.saturating_sub(rest.len()).max(1) }
}

impl Default for FrameSplitter {
    fn default() -> Self {
        Self::new(FrameLimits::DEFAULT)
    }
}

impl fmt::Debug for FrameSplitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FrameSplitter");
        shown.field("offset", &self.offset).field("width", &self.width).field("state", &self.state);
        shown.field("depth", &self.depth).finish_non_exhaustive()
    }
}
