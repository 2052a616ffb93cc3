//! TCP frames: a length, then a packet.

use core::fmt;

use gamewire_wire::{
    CodecError, Definition, FieldDefinition, Found, Layer, Reader, Result, Trace, Value, Writer,
};

use crate::Format;

/// The prefix of a frame as data.
pub const FRAME_DEFINITION: &Definition = &Definition {
    layer: Layer::Packet,
    name: "frame",
    doc: &["Prefix of each packet on TCP."],
    fields: &[FieldDefinition::new(
        "length",
        "32 bits, signed; 16 bits in 2.0",
        &["Number of bytes of the packet."],
    )],
};

/// Returns the number of bytes of the length.
pub const fn prefix_len(format: Format) -> usize {
    match format {
        Format::V20 => 2,
        Format::V21 => 4,
    }
}

/// Returns the prefix of a frame and its number of bytes, or `None` if the packet is too long for a frame.
fn prefix(format: Format, packet: &[u8]) -> Option<([u8; 4], usize)> {
    let length = i32::try_from(packet.len()).ok()?;
    let fits = format == Format::V21 || u16::try_from(length).is_ok();
    fits.then(|| (length.to_le_bytes(), prefix_len(format)))
}

/// Reads the length of a frame, and traces it as one group.
///
/// # Errors
/// [`CodecError`](gamewire_wire::CodecError) if the data end before the length does, or the length is not from 1 to
/// `max_size`. The trace receives the error, too.
pub fn read_length<T: Trace>(
    format: Format,
    from: &mut Reader<'_>,
    max_size: usize,
    trace: &mut T,
) -> Result<usize> {
    let start = from.offset();
    trace.enter(Layer::Packet, FRAME_DEFINITION.name, from.span_since(start));
    let length = from.take(prefix_len(format), "the length of a frame").and_then(|prefix| {
        let mut padded = [0; 4];
        for (to, from) in padded.iter_mut().zip(prefix) {
            *to = *from;
        }
        let length = i32::from_le_bytes(padded).into();
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
/// [`CodecError`](gamewire_wire::CodecError) if the buffer is full, or the packet is empty or too long for the prefix.
pub fn write(format: Format, packet: &[u8], to: &mut Writer<'_>) -> Result<()> {
    if prefix_len(format).saturating_add(packet.len()) > to.free() {
        return Err(CodecError::new(to.len(), "room in the buffer", Found::Bytes(to.free())));
    }
    let Some((prefix, length)) = prefix(format, packet).filter(|_| !packet.is_empty()) else {
        let expected = "a packet that a frame can hold";
        return Err(CodecError::new(to.len(), expected, Found::Bytes(packet.len())).in_packet("frame"));
    };
    to.bytes(prefix.get(..length).unwrap_or_default())?;
    to.bytes(packet)
}

/// Appends the frame of a packet to `buffer`; nothing if the packet is too long for a frame.
pub(crate) fn append(format: Format, packet: &[u8], buffer: &mut Vec<u8>) {
    if let Some((prefix, length)) = prefix(format, packet) {
        buffer.extend_from_slice(prefix.get(..length).unwrap_or_default());
        buffer.extend_from_slice(packet);
    }
}

/// A splitter that divides a stream into packets.
///
/// It buffers at most one unfinished frame, and only its received bytes. An invalid length ends the splitting, because
/// the start of the next frame is unknown.
pub struct FrameSplitter {
    format: Format,
    max_size: usize,
    /// Received bytes of an unfinished prefix.
    prefix: [u8; 4],
    prefix_len: usize,
    state: SplitterState,
    /// Received bytes of an unfinished frame, or the last returned frame.
    frame: Vec<u8>,
    /// Consumed bytes of the stream.
    offset: usize,
}

#[derive(Clone, Copy, Debug)]
enum SplitterState {
    /// Between frames or within a prefix.
    Prefix,
    /// Within a frame of this many bytes.
    Frame(usize),
    /// After an invalid length.
    Failed(CodecError),
}

impl FrameSplitter {
    /// Creates a splitter for a stream of packets with at most `max_size` bytes.
    pub const fn new(format: Format, max_size: usize) -> Self {
        let state = SplitterState::Prefix;
        Self { format, max_size, prefix: [0; 4], prefix_len: 0, state, frame: Vec::new(), offset: 0 }
    }

    /// Returns the next packet and removes it from the front of `data`, which are the next bytes of the stream. Returns
    /// `None` if all bytes are consumed and the packet is unfinished. A packet that is completely in `data` is not
    /// copied.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if a length is not from 1 to the maximum size. All later calls return
    /// the same error.
    pub fn next<'s, 'd: 's>(&'s mut self, data: &mut &'d [u8]) -> Result<Option<&'s [u8]>> {
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

    /// Returns the number of buffered bytes of an unfinished frame or prefix. A stream that ends while this
    /// is not 0 was truncated.
    pub fn buffered(&self) -> usize {
        match self.state {
            SplitterState::Frame(_) => prefix_len(self.format).saturating_add(self.frame.len()),
            SplitterState::Prefix | SplitterState::Failed(_) => self.prefix_len,
        }
    }

    /// Returns the received bytes of an unfinished frame.
    pub(crate) fn pending(&self) -> Vec<u8> {
        match self.state {
            SplitterState::Frame(length) => {
                let prefix = length.to_le_bytes();
                [prefix.get(..prefix_len(self.format)).unwrap_or_default(), &self.frame].concat()
            }
            SplitterState::Prefix => self.prefix.get(..self.prefix_len).unwrap_or_default().to_vec(),
            SplitterState::Failed(_) => Vec::new(),
        }
    }

    fn length(&mut self, data: &mut &[u8]) -> Result<Option<usize>> {
        self.frame.clear();
        let missing = prefix_len(self.format).saturating_sub(self.prefix_len);
        let (part, rest) = data.split_at(missing.min(data.len()));
        for (to, from) in self.prefix.iter_mut().skip(self.prefix_len).zip(part) {
            *to = *from;
        }
        *data = rest;
        self.prefix_len = self.prefix_len.saturating_add(part.len());
        if part.len() < missing {
            return Ok(None);
        }
        match read_length(self.format, &mut Reader::new(&self.prefix), self.max_size, &mut ()) {
            Ok(length) => {
                self.prefix_len = 0;
                self.offset = self.offset.saturating_add(prefix_len(self.format));
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

impl fmt::Debug for FrameSplitter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("FrameSplitter");
        shown.field("offset", &self.offset).field("state", &self.state);
        shown.field("frame", &self.frame.len()).finish_non_exhaustive()
    }
}
