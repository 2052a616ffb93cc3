//! Datagrams of a connection: the header, the tokens and the compression of its dialect.

use gamewire_wire::{CodecError, Found, Reader, Writer};

use super::PacketError;
use super::receive::ChunkRange;
use super::window::{ReceiveWindow, SeqCheck};
use crate::Dialect;
use crate::shared::data::Token;
use crate::shared::huffman::{TrailingByte, compress_if_smaller};
use crate::shared::packet::{ChunkHeader, Header, MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::Version;
use crate::v06::V06;
use crate::v07::V07;

/// Bits of the first byte that are 0 in plain 0.6: the token flag of 0.6.5 and the control flag of 0.7. Old receivers
/// read them as the high bits of an ack that is out of range.
const RESERVED_BITS: u8 = 0x0c;

/// The dialect of a connection and its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkTokens {
    /// Plain 0.6: no token.
    V06,
    /// 0.6.5: the server's token in the header of every packet of both roles.
    V065(Token),
    /// 0.6 of DDNet: the server's token at the end of every payload of both roles.
    Tken(Token),
    /// 0.7: each role puts the token of the other one into the header.
    V07 {
        /// The token that received packets must have.
        ours: Token,
        /// The token of sent packets.
        theirs: Token,
    },
}

impl LinkTokens {
    /// Returns the dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::V06 => Dialect::V06,
            Self::V065(_) => Dialect::V065,
            Self::Tken(_) => Dialect::Tken,
            Self::V07 { .. } => Dialect::V07,
        }
    }

    /// Returns the bytes of the token at the end of every payload.
    pub(super) const fn trailer(&self) -> Option<[u8; 4]> {
        match self {
            Self::Tken(token) => Some(token.0.to_be_bytes()),
            Self::V06 | Self::V065(_) | Self::V07 { .. } => None,
        }
    }

    /// Returns the size of a packet header in bytes.
    pub(super) const fn header_size(&self) -> usize {
        match self {
            Self::V06 | Self::Tken(_) => 3,
            Self::V065(_) | Self::V07 { .. } => 7,
        }
    }

    /// Returns the maximum size of a chunk in bytes.
    pub(super) const fn max_chunk(&self) -> usize {
        match self {
            Self::V07 { .. } => V07::MAX_CHUNK,
            Self::V06 | Self::V065(_) | Self::Tken(_) => V06::MAX_CHUNK,
        }
    }

    /// Writes the header of a chunk of `size` bytes.
    pub(super) fn write_chunk(
        &self,
        header: &ChunkHeader,
        size: usize,
        to: &mut Writer<'_>,
    ) -> Result<(), CodecError> {
        match self {
            Self::V07 { .. } => V07::write_chunk(header, size, to),
            Self::V06 | Self::V065(_) | Self::Tken(_) => V06::write_chunk(header, size, to),
        }
    }
}

/// Writes a datagram to the start of `buffer` and returns its length. `payload` ends with the trailer already. It is
/// compressed if that makes it smaller, except in control packets.
pub(super) fn pack(
    tokens: &LinkTokens,
    mut header: Header,
    payload: &[u8],
    ending: TrailingByte,
    buffer: &mut [u8],
) -> Option<usize> {
    let (front, back) = buffer.split_at_mut_checked(tokens.header_size())?;
    let body = back.get_mut(..payload.len())?;
    let compressed = if header.control { None } else { compress_if_smaller(payload, body, ending) };
    let length = compressed.unwrap_or_else(|| {
        body.copy_from_slice(payload);
        payload.len()
    });
    header.compressed = compressed.is_some();
    header.token = match tokens {
        LinkTokens::V06 | LinkTokens::Tken(_) => None,
        LinkTokens::V065(token) | LinkTokens::V07 { theirs: token, .. } => Some(*token),
    };
    let mut to = Writer::new(front);
    match tokens {
        LinkTokens::V07 { .. } => V07::write(&header, &mut to),
        _ => V06::write(&header, &mut to),
    }
    .ok()?;
    to.len().checked_add(length)
}

/// Checks the tokens of `datagram` and returns its header and payload, decompressed into `buffer` if necessary. With
/// `strict` it also rejects the packets that DDNet drops.
pub(super) fn unpack<'s>(
    tokens: &LinkTokens,
    strict: bool,
    datagram: &'s [u8],
    buffer: &'s mut [u8; MAX_PAYLOAD],
) -> Result<(Header, &'s [u8]), PacketError> {
    let (header, mut payload) = match tokens {
        LinkTokens::V07 { .. } => connected(V07::parse(datagram, &mut ())?)?,
        _ => connected(V06::parse(datagram, &mut ())?)?,
    };
    match tokens {
        LinkTokens::V06 | LinkTokens::Tken(_) => {
            if datagram.first().is_some_and(|flags| flags & RESERVED_BITS != 0) {
                return Err(PacketError::Unexpected("flags of another dialect"));
            }
        }
        LinkTokens::V065(token) | LinkTokens::V07 { ours: token, .. } => {
            if header.token != Some(*token) {
                return Err(PacketError::WrongToken);
            }
        }
    }
    if strict {
        check_strictly(&header)?;
    }
    if header.compressed {
        payload = inflate(payload, buffer)?;
    }
    if let Some(trailer) = tokens.trailer() {
        payload = payload.strip_suffix(&trailer).ok_or(PacketError::WrongToken)?;
    }
    Ok((header, payload))
}

fn connected<H>(packet: Packet<'_, H>) -> Result<(Header, &[u8]), PacketError> {
    match packet {
        Packet::Connected { header, payload } => Ok((header, payload.remaining())),
        Packet::Connless { .. } => Err(PacketError::Connless),
    }
}

const fn check_strictly(header: &Header) -> Result<(), PacketError> {
    match header {
        Header { control: true, compressed: true, .. } => {
            Err(PacketError::Unexpected("compressed control packet"))
        }
        Header { control: true, chunks: 1.., .. } => {
            Err(PacketError::Unexpected("control packet with chunks"))
        }
        Header { control: false, chunks: 0, resend: false, .. } => {
            Err(PacketError::Unexpected("packet without chunks"))
        }
        _ => Ok(()),
    }
}

/// How the vital chunks of a packet fit the receive window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChunkCounts {
    pub(super) new: u64,
    pub(super) repeated: u64,
    /// Chunks before which another one is missing.
    pub(super) gaps: u64,
}

/// Reads `count` chunks of `payload` and fills `ranges` with the new ones.
pub(super) fn read_chunks(
    tokens: &LinkTokens,
    payload: &[u8],
    count: u8,
    window: &mut ReceiveWindow,
    ranges: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts, CodecError> {
    match tokens {
        LinkTokens::V07 { .. } => read_chunks_of::<V07>(payload, count, window, ranges),
        _ => read_chunks_of::<V06>(payload, count, window, ranges),
    }
}

fn read_chunks_of<V: Version>(
    payload: &[u8],
    count: u8,
    window: &mut ReceiveWindow,
    ranges: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts, CodecError> {
    ranges.clear();
    let mut counts = ChunkCounts::default();
    let mut from = Reader::new(payload);
    for _ in 0..count {
        let chunk = V::read_chunk(&mut from, &mut ())?;
        let range = chunk_range(&from, &chunk.content, chunk.header.sequence.is_some())?;
        let count = match chunk.header.sequence.map(|sequence| window.check(sequence)) {
            None => {
                ranges.push(range);
                continue;
            }
            Some(SeqCheck::New) => {
                ranges.push(range);
                &mut counts.new
            }
            Some(SeqCheck::Old) => &mut counts.repeated,
            Some(SeqCheck::Gap) => &mut counts.gaps,
        };
        *count = count.saturating_add(1);
    }
    Ok(counts)
}

fn chunk_range(from: &Reader<'_>, content: &Reader<'_>, vital: bool) -> Result<ChunkRange, CodecError> {
    let offset = |reader: &Reader<'_>| {
        u16::try_from(reader.offset())
            .map_err(|_| CodecError::new(0, "at most 65535 bytes", Found::Bytes(reader.offset())))
    };
    Ok(ChunkRange { start: offset(content)?, end: offset(from)?, vital })
}
