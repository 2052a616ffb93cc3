//! Packet and chunk headers of all dialects as values, and the chunk header on the wire.

use gamewire_wire::{CodecError, Found, Layer, Reader, Result, Span, Trace, Value, Writer};

use crate::shared::data::Token;
use crate::shared::definition::{Definition, FieldDefinition};
use crate::shared::huffman;
use crate::shared::warning;

/// Maximum bytes of a datagram in any dialect.
pub const MAX_DATAGRAM: usize = 1400;
/// Maximum bytes of a payload before compression in any dialect. This is the limit of DDNet's master branch. The others
/// accept 3 to 7 bytes less.
pub const MAX_PAYLOAD: usize = 1397;
/// Sequence numbers count modulo this value.
pub const SEQUENCE_SPACE: u16 = 1024;

/// The header of a packet that belongs to a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The payload is compressed.
    pub compressed: bool,
    /// The sender requests a resend of everything that it has not acknowledged.
    pub resend: bool,
    /// The payload is one control message. If not, it is a sequence of chunks.
    pub control: bool,
    /// Last vital sequence number that arrived in order, below [`SEQUENCE_SPACE`].
    pub ack: u16,
    /// Number of chunks in the payload.
    pub chunks: u8,
    /// Token in the header: always in 0.7, after a flag in 0.6.5, never in the other dialects.
    pub token: Option<Token>,
}

/// A datagram split into header and payload. `H` is the header of connless packets.
#[derive(Clone, Debug)]
pub enum Packet<'a, H> {
    /// A packet of a connection.
    Connected {
        /// Header of the packet.
        header: Header,
        /// Bytes after the header. They are compressed if the header has this flag.
        payload: Reader<'a>,
    },
    /// A packet without a connection.
    Connless {
        /// Header of the packet.
        header: H,
        /// A browsing message.
        payload: Reader<'a>,
    },
}

/// The header of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkHeader {
    /// The chunk was sent before.
    pub resend: bool,
    /// Sequence number, below [`SEQUENCE_SPACE`], if the chunk is vital.
    pub sequence: Option<u16>,
}

/// A chunk: one message with its header.
#[derive(Clone, Debug)]
pub struct Chunk<'a> {
    /// Header of the chunk.
    pub header: ChunkHeader,
    /// The encoded message.
    pub content: Reader<'a>,
}

/// The bit of packets without a connection in the first byte, in both versions.
pub(crate) const CONNLESS: u8 = 0x20;

/// The bits of the first byte of a header that differ between the versions.
pub(crate) struct HeaderBits {
    pub(crate) compression: u8,
    pub(crate) resend: u8,
    pub(crate) control: u8,
}

impl HeaderBits {
    /// Returns a reader of a datagram.
    ///
    /// # Errors
    /// [`CodecError`] if it exceeds [`MAX_DATAGRAM`] bytes.
    #[inline(always)]
    pub(crate) fn reader(datagram: &[u8]) -> Result<Reader<'_>> {
        if datagram.len() > MAX_DATAGRAM {
            return Err(CodecError::new(0, "at most 1400 bytes", Found::Bytes(datagram.len())));
        }
        Ok(Reader::new(datagram))
    }

    /// Returns the header without its token, and reports its flags.
    #[inline(always)]
    pub(crate) fn read<T: Trace>(&self, [flags, ack, chunks]: [u8; 3], trace: &mut T) -> Header {
        let mut flag = |name, bit: u8| {
            trace.field(name, Span::bits(0, bit.leading_zeros(), 1), Value::Bool(flags & bit != 0));
            flags & bit != 0
        };
        Header {
            compressed: flag("compression", self.compression),
            resend: flag("resend", self.resend),
            control: flag("control", self.control),
            ack: u16::from_be_bytes([flags & 0x03, ack]),
            chunks,
            token: None,
        }
    }

    /// Writes the first three bytes with the additional flags `others`.
    pub(crate) fn write(&self, header: &Header, others: u8, to: &mut Writer<'_>) -> Result<()> {
        let flag = |set: bool, bit: u8| if set { bit } else { 0 };
        let [high, low] = (header.ack & 0x3ff).to_be_bytes();
        let flags = flag(header.compressed, self.compression)
            | flag(header.resend, self.resend)
            | flag(header.control, self.control);
        to.bytes(&[flags | others | high, low, header.chunks])
    }
}

impl Header {
    /// Reports the ack and the number of chunks.
    #[inline(always)]
    pub(crate) fn trace_counts<T: Trace>(&self, trace: &mut T) {
        trace.field("ack", Span::bits(0, 6, 10), Value::Int(self.ack.into()));
        trace.field("chunks", Span::bytes(2, 3), Value::Int(self.chunks.into()));
    }
}

/// Decompresses `payload` into `buffer` and returns the decompressed bytes.
///
/// # Errors
/// [`CodecError`] if the end symbol is missing or the result does not fit the buffer. A buffer of
/// [`MAX_PAYLOAD`] bytes fits everything that a game accepts.
#[inline]
pub fn inflate<'b>(payload: &[u8], buffer: &'b mut [u8]) -> Result<&'b [u8]> {
    let length = huffman::decompress(payload, buffer)
        .map_err(|error| error.in_field("payload").in_packet("packet"))?;
    buffer
        .get(..length)
        .ok_or_else(|| CodecError::new(0, "a payload that fits the buffer", Found::Bytes(length)))
}

const RESEND: u8 = 0x80;
const VITAL: u8 = 0x40;

/// Returns the bits of the second byte that contain a part of the sequence number.
const fn sequence_mask(low_bits: u32) -> u8 {
    u8::MAX.wrapping_shl(low_bits)
}

/// Returns the largest size that a chunk header can contain.
pub(crate) const fn max_chunk_size(low_bits: u32) -> usize {
    0x40_usize.wrapping_shl(low_bits).wrapping_sub(1)
}

/// Reads the next chunk of a payload.
///
/// The chunk headers of the versions differ only in `low_bits`: the number of low bits of the size
/// in the second byte. The other bits of that byte belong to the sequence number.
#[inline]
pub(crate) fn read_chunk<'a, T: Trace>(
    low_bits: u32,
    from: &mut Reader<'a>,
    trace: &mut T,
) -> Result<Chunk<'a>> {
    read_chunk_parts(low_bits, from, trace).map_err(|error| error.in_packet("chunk"))
}

#[inline]
fn read_chunk_parts<'a, T: Trace>(low_bits: u32, from: &mut Reader<'a>, trace: &mut T) -> Result<Chunk<'a>> {
    let sequence_mask = sequence_mask(low_bits);
    let at = from.offset();
    let [first, second] = from.array("a chunk header of 2 bytes")?;
    let (resend, vital) = (first & RESEND != 0, first & VITAL != 0);
    let size = u16::from(first & 0x3f).wrapping_shl(low_bits) | u16::from(second & !sequence_mask);
    trace.field("chunk_resend", Span::bits(at, 0, 1), Value::Bool(resend));
    trace.field("vital", Span::bits(at, 1, 1), Value::Bool(vital));
    trace.field("size", Span::bytes(at, at.saturating_add(2)), Value::Int(size.into()));
    let mut sequence = None;
    if vital {
        // Most chunks of a running game are not vital.
        core::hint::cold_path();
        let third = from.u8("the third byte of a vital chunk header")?;
        let number = u16::from(second & sequence_mask) << 2 | u16::from(third);
        let span = Span::bytes(at.saturating_add(1), at.saturating_add(3));
        trace.field("sequence", span, Value::Int(number.into()));
        // 0.6 sends bits 7 and 6 twice. In 0.7 this mask is empty.
        let twice = sequence_mask << 2;
        if (second & sequence_mask) << 2 != third & twice {
            trace.warning(span, &warning::SEQUENCE_BITS);
        }
        sequence = Some(number);
    } else if second & sequence_mask != 0 {
        let unused = Span::bits(at.saturating_add(1), 0, 8_u32.saturating_sub(low_bits));
        trace.warning(unused, &warning::UNUSED_BITS);
    }
    let content = from.sub(size.into(), "as many bytes as the chunk's size")?;
    Ok(Chunk { header: ChunkHeader { resend, sequence }, content })
}

/// Writes the header of a chunk of `size` bytes.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "each part is masked to its bits")]
pub(crate) fn write_chunk(
    low_bits: u32,
    header: &ChunkHeader,
    size: usize,
    to: &mut Writer<'_>,
) -> Result<()> {
    if size > max_chunk_size(low_bits) {
        return Err(CodecError::new(to.len(), "a chunk whose size fits its header", Found::Bytes(size)));
    }
    let sequence_mask = sequence_mask(low_bits);
    let resend = if header.resend { RESEND } else { 0 };
    let (vital, sequence) = header.sequence.map_or((0, 0), |sequence| (VITAL, sequence & 0x3ff));
    let sequence_bits = (sequence >> 2) as u8 & sequence_mask;
    let size_bits = size.wrapping_shr(low_bits) as u8;
    to.bytes(&[resend | vital | size_bits, sequence_bits | size as u8 & !sequence_mask])?;
    if header.sequence.is_some() { to.u8(sequence as u8) } else { Ok(()) }
}

macro_rules! header_fields {
    ($($name:literal $kind:literal $doc:literal),+ $(,)?) => {
        &[$(FieldDefinition::new($name, $kind, &[$doc])),+]
    };
}

/// Definition of the packet header.
pub const PACKET_DEFINITION: &Definition = &Definition {
    layer: Layer::Packet,
    name: "packet",
    doc: &["The header of a packet."],
    fields: header_fields![
        "connless" "bit" "The packet belongs to no connection.",
        "compression" "bit" "The payload is compressed.",
        "resend" "bit" "The sender requests a resend of everything that it has not acknowledged.",
        "control" "bit" "The payload is one control message.",
        "token_flag" "bit" "A token follows the header (0.6.5).",
        "ack" "10 bits" "Last vital sequence number that arrived in order.",
        "chunks" "byte" "Number of chunks in the payload.",
        "token" "4 bytes" "Token that the receiver issued.",
        "response_token" "4 bytes" "Token that the reply must carry (0.7, connless).",
        "version" "2 bits" "Version of the connless packet (0.7).",
        "extra_token" "2 bytes" "Returned in the upper bits of the reply's token (DDNet, connless).",
        "reserved" "2 bytes" "Zero (DDNet, connless).",
        "tken_token" "4 bytes" "Token at the end of every payload in DDNet's dialect.",
        "extra_bytes" "bytes" "Bytes after the last chunk.",
    ],
};

/// Definition of the chunk header.
pub const CHUNK_DEFINITION: &Definition = &Definition {
    layer: Layer::Group,
    name: "chunk",
    doc: &["The header of a chunk, and the message in it."],
    fields: header_fields![
        "chunk_resend" "bit" "The chunk was sent before.",
        "vital" "bit" "The receiver must acknowledge the chunk.",
        "size" "10 or 12 bits" "Size of the message in bytes.",
        "sequence" "10 bits" "Counts the vital chunks of its sender.",
    ],
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn written<const LOW_BITS: u32>(header: &ChunkHeader, size: usize) -> Vec<u8> {
        let mut buffer = [0; 3];
        let mut to = Writer::new(&mut buffer);
        write_chunk(LOW_BITS, header, size, &mut to).unwrap();
        to.written().to_vec()
    }

    #[test]
    fn captured_headers_are_written_byte_for_byte() {
        let vital = |sequence| ChunkHeader { resend: false, sequence: Some(sequence) };
        assert_eq!(written::<4>(&vital(1), 12), [0x40, 0x0c, 0x01]);
        assert_eq!(written::<4>(&ChunkHeader { resend: true, ..vital(1) }, 12), [0xc0, 0x0c, 0x01]);
        assert_eq!(written::<6>(&vital(0x0e), 0x4c), [0x41, 0x0c, 0x0e]);
        assert_eq!(written::<4>(&ChunkHeader::default(), 32), [0x02, 0x00]);
    }

    fn round_trips<const LOW_BITS: u32>(header: ChunkHeader, size: usize) {
        let mut bytes = written::<LOW_BITS>(&header, size);
        let length = bytes.len();
        bytes.resize(length.saturating_add(size), 0);
        let mut from = Reader::new(&bytes);
        let chunk = read_chunk(LOW_BITS, &mut from, &mut ()).unwrap();
        assert_eq!((chunk.header, chunk.content.remaining().len()), (header, size));
        assert!(from.is_empty());
    }

    proptest! {
        #[test]
        fn every_header_round_trips_in_both_versions(
            resend: bool,
            sequence in proptest::option::of(0_u16..1024),
            size in 0_usize..1024,
        ) {
            round_trips::<4>(ChunkHeader { resend, sequence }, size);
            round_trips::<6>(ChunkHeader { resend, sequence }, size);
            round_trips::<6>(ChunkHeader { resend, sequence }, size.saturating_mul(4));
        }
    }

    #[test]
    fn a_size_that_does_not_fit_the_header_is_rejected() {
        let mut buffer = [0; 3];
        let header = ChunkHeader::default();
        let error = write_chunk(4, &header, 1024, &mut Writer::new(&mut buffer)).unwrap_err();
        assert_eq!(error.found, Found::Bytes(1024));
        assert!(write_chunk(6, &header, 1024, &mut Writer::new(&mut buffer)).is_ok());
    }
}
