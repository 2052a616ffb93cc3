//! Datagrams of a connection: header, tokens, compression, chunks and sequence numbers. Sequence numbers count modulo
//! 1024.

use gamewire_wire::{CodecError, Found, Reader, Result, Writer};

use super::PacketError;
use crate::Dialect;
use crate::dialect::with_version;
use crate::shared::data::Token;
use crate::shared::huffman::{TrailingByte, compress_if_smaller};
use crate::shared::packet::{ChunkHeader, Header, MAX_PAYLOAD, Packet, SEQUENCE_SPACE, inflate};
use crate::shared::version::Version;

/// Bits of the first byte that are 0 in plain 0.6: the token flag of 0.6.5 and the control flag of 0.7. Old receivers
/// read them as the high bits of an ack that is out of range.
const RESERVED_BITS: u8 = 0x0c;

/// The control messages of an established connection. Their ids are the same in all dialects.
pub(super) const KEEP_ALIVE: u8 = 0;
pub(super) const CONNECT: u8 = 1;
pub(super) const ACCEPT: u8 = 2;
pub(super) const CLOSE: u8 = 4;

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
    pub const fn dialect(&self) -> Dialect {
        match self {
            Self::V06 => Dialect::V06,
            Self::V065(_) => Dialect::V065,
            Self::Tken(_) => Dialect::Tken,
            Self::V07 { .. } => Dialect::V07,
        }
    }

    /// Returns the bytes of the token at the end of every payload.
    pub(crate) const fn trailer(&self) -> Option<[u8; 4]> {
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
        with_version!(self.dialect(), V => V::MAX_CHUNK)
    }

    /// Writes the header of a chunk of `size` bytes.
    pub(crate) fn write_chunk(&self, header: &ChunkHeader, size: usize, to: &mut Writer<'_>) -> Result<()> {
        with_version!(self.dialect(), V => V::write_chunk(header, size, to))
    }
}

/// Writes a datagram to the start of `buffer` and returns its length. `payload` already includes the trailer. It is
/// compressed if that makes it smaller, except in control packets.
pub(crate) fn pack(
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
    with_version!(tokens.dialect(), V => V::write(&header, &mut to)).ok()?;
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
    let (header, mut payload) =
        with_version!(tokens.dialect(), V => connected(V::parse(datagram, &mut ())?)?);
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

/// The range of the content of a chunk in its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkRange {
    pub(super) start: u16,
    pub(super) end: u16,
    pub(super) vital: bool,
}

/// Counts of the vital chunks of a packet, by their place in the receive window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ChunkCounts {
    pub(super) new: u64,
    pub(super) repeated: u64,
    /// Chunks that arrived while an earlier one was missing.
    pub(super) gaps: u64,
}

/// Reads `count` chunks of `payload` and fills `ranges` with the new ones.
pub(super) fn read_chunks(
    tokens: &LinkTokens,
    payload: &[u8],
    count: u8,
    window: &mut ReceiveWindow,
    ranges: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts> {
    with_version!(tokens.dialect(), V => read_chunks_of::<V>(payload, count, window, ranges))
}

pub(super) fn read_chunks_of<V: Version>(
    payload: &[u8],
    count: u8,
    window: &mut ReceiveWindow,
    ranges: &mut Vec<ChunkRange>,
) -> Result<ChunkCounts> {
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

fn chunk_range(from: &Reader<'_>, content: &Reader<'_>, vital: bool) -> Result<ChunkRange> {
    let offset = |reader: &Reader<'_>| {
        u16::try_from(reader.offset())
            .map_err(|_| CodecError::new(0, "at most 65535 bytes", Found::Bytes(reader.offset())))
    };
    Ok(ChunkRange { start: offset(content)?, end: offset(from)?, vital })
}

/// Number of sequence numbers before an ack that count as old.
const BACKROOM: u16 = SEQUENCE_SPACE / 2;
/// Maximum number of unacknowledged messages. With one more message, the newest number would look like an old one.
pub(super) const MAX_OUTSTANDING: usize = BACKROOM as usize - 1;

/// Returns the number after `sequence`.
pub(super) const fn next(sequence: u16) -> u16 {
    sequence.wrapping_add(1) % SEQUENCE_SPACE
}

/// Returns the number of steps from `earlier` to `later`.
const fn distance(earlier: u16, later: u16) -> u16 {
    later.wrapping_sub(earlier) % SEQUENCE_SPACE
}

/// Returns whether a peer that acknowledged `ack` has received `sequence`: it is `ack` or one of the 512 numbers before
/// it.
pub(super) const fn in_backroom(sequence: u16, ack: u16) -> bool {
    distance(sequence, ack) <= BACKROOM
}

/// Returns whether `ack` is a valid ack after `before`, if `sent` is the last sent number.
pub(super) const fn may_acknowledge(before: u16, sent: u16, ack: u16) -> bool {
    distance(before, ack) <= distance(before, sent)
}

/// The receiver's position in the vital messages of the peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReceiveWindow {
    /// The last number that arrived in order. The link acknowledges it.
    pub(crate) ack: u16,
    /// Any number is accepted as the next one.
    pub(crate) accepts_any: bool,
}

/// The result of checking a sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeqCheck {
    /// The next message.
    New,
    /// A message that was received before.
    Old,
    /// A message before this one is missing.
    Gap,
}

impl ReceiveWindow {
    /// Checks the number of a received vital message. Advances the window if the message is new.
    pub(crate) const fn check(&mut self, sequence: u16) -> SeqCheck {
        if self.accepts_any || sequence == next(self.ack) {
            *self = Self { ack: sequence, accepts_any: false };
            SeqCheck::New
        } else if in_backroom(sequence, self.ack) {
            SeqCheck::Old
        } else {
            SeqCheck::Gap
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_from_1023_to_0() {
        let mut window = ReceiveWindow { ack: 1022, accepts_any: false };
        let fits = [1023, 0, 1023, 1, 3].map(|sequence| window.check(sequence));
        assert_eq!(fits, [SeqCheck::New, SeqCheck::New, SeqCheck::Old, SeqCheck::New, SeqCheck::Gap]);
        assert_eq!(window.ack, 1);
    }

    #[test]
    fn the_backroom_is_the_last_number_and_512_before_it() {
        for ack in [0, 100, 511, 512, 1023] {
            let before = |count: u16| (ack + SEQUENCE_SPACE - count) % SEQUENCE_SPACE;
            assert!(in_backroom(before(0), ack) && in_backroom(before(512), ack));
            assert!(!in_backroom(before(513), ack) && !in_backroom(next(ack), ack));
        }
    }

    #[test]
    fn t8_acknowledgements_go_forward_and_not_beyond_what_was_sent() {
        assert!([5, 6, 9].iter().all(|&ack| may_acknowledge(5, 9, ack)));
        assert!(![4, 10, 0, 1023].iter().any(|&ack| may_acknowledge(5, 9, ack)));
        assert!([1020, 1023, 0, 3].iter().all(|&ack| may_acknowledge(1020, 3, ack)));
        assert!(![1019, 4, 500].iter().any(|&ack| may_acknowledge(1020, 3, ack)));
        assert!(may_acknowledge(7, 7, 7) && !may_acknowledge(7, 7, 8));
    }

    #[test]
    fn any_first_number_can_be_accepted() {
        let mut window = ReceiveWindow { ack: 0, accepts_any: true };
        assert_eq!(
            [38, 39, 38].map(|sequence| window.check(sequence)),
            [SeqCheck::New, SeqCheck::New, SeqCheck::Old]
        );
    }
}
