//! What the packet and chunk headers of all dialects say, whatever bits they say it in.

use gamewire_wire::{CodecError, Found, Layer, Reader};

use crate::shared::data::Token;
use crate::shared::definition::{Definition, FieldDefinition};
use crate::shared::huffman;

/// No datagram of any dialect is longer.
pub const MAX_DATAGRAM: usize = 1400;
/// The largest payload, before compression, of any dialect (DDNet's master branch; the others
/// take 3 to 7 bytes less).
pub const MAX_PAYLOAD: usize = 1397;
/// Sequence numbers count modulo this.
pub const SEQUENCE_SPACE: u16 = 1024;

/// The header of a packet that belongs to a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The payload is compressed.
    pub compressed: bool,
    /// The receiver is asked to send again what was not acknowledged.
    pub resend: bool,
    /// The payload is one control message; otherwise it is chunks.
    pub control: bool,
    /// The last vital sequence number that arrived in order, below [`SEQUENCE_SPACE`].
    pub ack: u16,
    /// How many chunks the payload holds.
    pub chunks: u8,
    /// The token in the header: always in 0.7, behind a flag in 0.6.5, never otherwise.
    pub token: Option<Token>,
}

/// A datagram, taken apart as far as its header; `H` is the header of connless packets.
#[derive(Clone, Debug)]
pub enum Packet<'a, H> {
    /// It belongs to a connection.
    Connected {
        /// Its header.
        header: Header,
        /// What follows; compressed if the header says so.
        payload: Reader<'a>,
    },
    /// It belongs to none.
    Connless {
        /// Its header.
        header: H,
        /// A browsing message.
        payload: Reader<'a>,
    },
}

/// The header of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChunkHeader {
    /// It was sent before.
    pub resend: bool,
    /// Its sequence number, below [`SEQUENCE_SPACE`], if it is vital.
    pub sequence: Option<u16>,
}

/// A chunk: one message in its place.
#[derive(Clone, Debug)]
pub struct Chunk<'a> {
    /// Its header.
    pub header: ChunkHeader,
    /// Its content, to be read as a message.
    pub content: Reader<'a>,
}

/// Decompresses `payload` into `buffer` and returns what that gave.
///
/// # Errors
/// When it has no end, or does not fit the buffer; a buffer of [`MAX_PAYLOAD`] holds what any
/// game would accept.
#[inline]
pub fn inflate<'b>(payload: &[u8], buffer: &'b mut [u8]) -> Result<&'b [u8], CodecError> {
    let length = huffman::decompress(payload, buffer)
        .map_err(|error| error.in_field("payload").in_packet("packet"))?;
    buffer
        .get(..length)
        .ok_or_else(|| CodecError::new(0, "no more data than the buffer holds", Found::Bytes(length)))
}

macro_rules! header_fields {
    ($($name:literal $kind:literal $doc:literal),+ $(,)?) => {
        &[$(FieldDefinition::new($name, $kind, &[$doc])),+]
    };
}

/// The header of a packet as data.
pub const PACKET_DEFINITION: &Definition = &Definition {
    layer: Layer::Packet,
    name: "packet",
    doc: &["The header of a packet."],
    fields: header_fields![
        "connless" "bit" "The packet belongs to no connection.",
        "compression" "bit" "The payload is compressed.",
        "resend" "bit" "The receiver is asked to send again what was not acknowledged.",
        "control" "bit" "The payload is one control message.",
        "token_flag" "bit" "A token follows the header (0.6.5).",
        "ack" "10 bits" "The last vital sequence number that arrived in order.",
        "chunks" "byte" "How many chunks the payload holds.",
        "token" "4 bytes" "The token that the receiver handed out.",
        "response_token" "4 bytes" "The token that the sender wants to be answered with (0.7, connless).",
        "version" "2 bits" "The version of the connless packet (0.7).",
        "extra_token" "2 bytes" "Comes back above the token of the answer (DDNet, connless).",
        "reserved" "2 bytes" "Zero (DDNet, connless).",
        "tken_token" "4 bytes" "The token that ends every payload in DDNet's dialect.",
        "extra_bytes" "bytes" "Bytes behind the last chunk.",
    ],
};

/// The header of a chunk as data.
pub const CHUNK_DEFINITION: &Definition = &Definition {
    layer: Layer::Group,
    name: "chunk",
    doc: &["The header of a chunk, and the message in it."],
    fields: header_fields![
        "chunk_resend" "bit" "The chunk was sent before.",
        "vital" "bit" "The chunk is to be acknowledged.",
        "size" "10 or 12 bits" "Bytes of the message.",
        "sequence" "10 bits" "Counts the vital chunks of its sender.",
    ],
};
