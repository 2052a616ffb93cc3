//! TCP frames: a length, then a packet.

use core::fmt;
use core::marker::PhantomData;

use gamewire_wire::{CodecError, Found, Layer, Reader, Trace, Value, Writer};

use super::definition::{Definition, FieldDefinition};
use super::version::Version;

/// The prefix of a frame as data.
pub const FRAME_DEFINITION: &Definition = &Definition {
    layer: Layer::Packet,
    name: "frame",
    doc: &["What stands in front of each packet on TCP."],
    fields: &[FieldDefinition::new(
        "length",
        "32 bits, signed; 16 bits in 2.0",
        &["How many bytes the packet has."],
    )],
};

/// Reads the length in front of a frame and tells it as one group.
///
/// # Errors
/// When the data end before, or the length is not from 1 to `max_size`; the error has been told.
pub fn read_length<V: Version, T: Trace>(
    from: &mut Reader<'_>,
    max_size: usize,
    trace: &mut T,
) -> Result<usize, CodecError> {
    let start = from.offset();
    trace.enter(Layer::Packet, FRAME_DEFINITION.name, from.span_since(start));
    let length = from.take(V::FRAME_PREFIX, "the length of a frame").and_then(|prefix| {
        let mut padded = [0; 4];
        for (to, from) in padded.iter_mut().zip(prefix) {
            *to = *from;
        }
        let length = V::frame_length(padded);
        trace.field("length", from.span_since(start), Value::Int(length));
        match usize::try_from(length) {
            Ok(length) if (1..=max_size).contains(&length) => Ok(length),
            _ => Err(CodecError::new(start, "a length from 1 to the largest message", Found::Value(length))),
        }
    });
    let length = length.map_err(|error| error.in_field("length").in_packet("frame"));
    if let Err(error) = &length {
        trace.error(error);
    }
    trace.exit();
    length
}

/// Writes a packet as a frame.
///
/// # Errors
/// When there is no room, or it is empty or too long for the prefix.
pub fn write<V: Version>(packet: &[u8], to: &mut Writer<'_>) -> Result<(), CodecError> {
    let full = || CodecError::new(to.len(), "room in the buffer", Found::Bytes(to.free()));
    if V::FRAME_PREFIX.saturating_add(packet.len()) > to.free() {
        return Err(full());
    }
    let prefix = if packet.is_empty() { None } else { V::frame_prefix(packet.len()) };
    let prefix = prefix.as_ref().and_then(|prefix| prefix.get(..V::FRAME_PREFIX));
    let Some(prefix) = prefix else {
        let expected = "a packet that a frame can hold";
        return Err(CodecError::new(to.len(), expected, Found::Bytes(packet.len())).in_packet("frame"));
    };
    to.bytes(prefix)?;
    to.bytes(packet)
}

/// Takes a stream apart into the packets in it, however it was cut on its way.
///
/// It keeps at most one unfinished frame, and no more of it than has come. A length that no frame
/// may have ends it: nothing says where the next one would begin.
pub struct FrameSplitter<V> {
    max_size: usize,
    /// What has come of a prefix that is not complete.
    prefix: [u8; 4],
    prefix_len: usize,
    state: SplitterState,
    /// What has come of a frame that is not complete, or the frame that was lent last.
    frame: Vec<u8>,
    /// Bytes of the stream that are used.
    offset: usize,
    version: PhantomData<V>,
}

#[derive(Clone, Copy, Debug)]
enum SplitterState {
    /// Between frames or within a prefix.
    Prefix,
    /// Within a frame of so many bytes.
    Frame(usize),
    /// Behind a wrong length.
    Failed(CodecError),
}

impl<V: Version> Default for FrameSplitter<V> {
    fn default() -> Self {
        Self::new(V::MAX_SIZE)
    }
}

impl<V: Version> FrameSplitter<V> {
    /// At the start of a stream whose packets have at most `max_size` bytes.
    #[must_use]
    pub const fn new(max_size: usize) -> Self {
        Self {
            max_size,
            prefix: [0; 4],
            prefix_len: 0,
            state: SplitterState::Prefix,
            frame: Vec::new(),
            offset: 0,
            version: PhantomData,
        }
    }

    /// The next packet. `data` is what came of the stream, and loses what is used; `None` when all
    /// of it is and the packet has not ended. A packet that lies in `data` as a whole is not copied.
    ///
    /// # Errors
    /// When a length is not from 1 to the largest message; from then on always the same.
    pub fn next<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<&'s [u8]>, CodecError> {
        let length = match self.state {
            SplitterState::Failed(error) => return Err(error),
            SplitterState::Frame(length) => length,
            SplitterState::Prefix => match self.length(data)? {
                Some(length) => length,
                None => return Ok(None),
            },
        };
        let missing = length.saturating_sub(self.frame.len());
        let (part, rest) = data.split_at(missing.min(data.len()));
        *data = rest;
        self.offset = self.offset.saturating_add(part.len());
        if part.len() == length {
            self.state = SplitterState::Prefix;
            return Ok(Some(part));
        }
        self.frame.extend_from_slice(part);
        if part.len() < missing {
            self.state = SplitterState::Frame(length);
            return Ok(None);
        }
        self.state = SplitterState::Prefix;
        Ok(Some(&self.frame))
    }

    /// How many bytes of an unfinished frame or prefix are kept: not 0 at the end of a stream means
    /// that it was cut off.
    #[must_use]
    pub fn buffered(&self) -> usize {
        match self.state {
            SplitterState::Frame(_) => V::FRAME_PREFIX.saturating_add(self.frame.len()),
            SplitterState::Prefix | SplitterState::Failed(_) => self.prefix_len,
        }
    }

    fn length(&mut self, data: &mut &[u8]) -> Result<Option<usize>, CodecError> {
        self.frame.clear();
        let missing = V::FRAME_PREFIX.saturating_sub(self.prefix_len);
        let (part, rest) = data.split_at(missing.min(data.len()));
        for (to, from) in self.prefix.iter_mut().skip(self.prefix_len).zip(part) {
            *to = *from;
        }
        *data = rest;
        self.prefix_len = self.prefix_len.saturating_add(part.len());
        if part.len() < missing {
            return Ok(None);
        }
        match read_length::<V, _>(&mut Reader::new(&self.prefix), self.max_size, &mut ()) {
            Ok(length) => {
                self.prefix_len = 0;
                self.offset = self.offset.saturating_add(V::FRAME_PREFIX);
                Ok(Some(length))
            }
            Err(mut error) => {
                error.offset = self.offset;
                self.state = SplitterState::Failed(error);
                Err(error)
            }
        }
    }
}

impl<V> fmt::Debug for FrameSplitter<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FrameSplitter");
        shown.field("offset", &self.offset).field("state", &self.state);
        shown.field("frame", &self.frame.len()).finish_non_exhaustive()
    }
}
