//! From a datagram to its header and payload, and to where its new messages are.

use gamewire_wire::{CodecError, Found, Reader};

use super::received::ChunkRange;
use super::window::{ReceiveWindow, SeqCheck};
use super::{LinkTokens, PacketError};
use crate::shared::packet::{Header, MAX_PAYLOAD, Packet, inflate};
use crate::shared::version::Version;
use crate::v06::V06;
use crate::v07::V07;

/// Bits of the first byte that no sender of plain 0.6 sets: the token flag of 0.6.5, the control
/// flag of 0.7. Old receivers take them as part of an acknowledgement that cannot be.
const RESERVED_BITS: u8 = 0x0c;

/// Checks the tokens of `datagram` and returns its header and payload, decompressed into `room`
/// if it was compressed. With `strict`, what DDNet drops is refused.
pub(super) fn unpack<'s>(
    tokens: &LinkTokens,
    strict: bool,
    datagram: &'s [u8],
    room: &'s mut [u8; MAX_PAYLOAD],
) -> Result<(Header, &'s [u8]), PacketError> {
    let (header, mut payload) = match tokens {
        LinkTokens::V07 { .. } => connected(V07::parse(datagram, &mut ())?)?,
        _ => connected(V06::parse(datagram, &mut ())?)?,
    };
    match tokens {
        LinkTokens::V06 | LinkTokens::Tken(_) => {
            if datagram.first().is_some_and(|flags| flags & RESERVED_BITS != 0) {
                return Err(PacketError::Unexpected("it has flags of another dialect"));
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
        payload = inflate(payload, room)?;
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
            Err(PacketError::Unexpected("a control packet that is compressed"))
        }
        Header { control: true, chunks: 1.., .. } => {
            Err(PacketError::Unexpected("a control packet that announces chunks"))
        }
        Header { control: false, chunks: 0, resend: false, .. } => {
            Err(PacketError::Unexpected("a packet without chunks"))
        }
        _ => Ok(()),
    }
}

/// What the chunks of a packet came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChunkCounts {
    /// New vital messages.
    pub(super) vital: u64,
    /// Old ones.
    pub(super) repeated: u64,
    /// Ones before which another is missing.
    pub(super) gaps: u64,
}

/// Walks over all `count` chunks of `payload` and fills `places` with the new ones.
pub(super) fn chunks(
    tokens: &LinkTokens,
    payload: &[u8],
    count: u8,
    arrivals: &mut ReceiveWindow,
    places: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts, CodecError> {
    match tokens {
        LinkTokens::V07 { .. } => chunks_of::<V07>(payload, count, arrivals, places),
        _ => chunks_of::<V06>(payload, count, arrivals, places),
    }
}

fn chunks_of<V: Version>(
    payload: &[u8],
    count: u8,
    arrivals: &mut ReceiveWindow,
    places: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts, CodecError> {
    places.clear();
    let mut tally = ChunkCounts::default();
    let mut from = Reader::new(payload);
    for _ in 0..count {
        let chunk = V::read_chunk(&mut from, &mut ())?;
        let place = chunk_range(&from, &chunk.content, chunk.header.sequence.is_some())?;
        let count = match chunk.header.sequence.map(|sequence| arrivals.take(sequence)) {
            None => {
                places.push(place);
                continue;
            }
            Some(SeqCheck::New) => {
                places.push(place);
                &mut tally.vital
            }
            Some(SeqCheck::Old) => &mut tally.repeated,
            Some(SeqCheck::Gap) => &mut tally.gaps,
        };
        *count = count.saturating_add(1);
    }
    Ok(tally)
}

fn chunk_range(from: &Reader<'_>, content: &Reader<'_>, vital: bool) -> Result<ChunkRange, CodecError> {
    let offset = |reader: &Reader<'_>| {
        u16::try_from(reader.offset())
            .map_err(|_| CodecError::new(0, "at most 65535 bytes", Found::Bytes(reader.offset())))
    };
    Ok(ChunkRange { start: offset(content)?, end: offset(from)?, vital })
}
