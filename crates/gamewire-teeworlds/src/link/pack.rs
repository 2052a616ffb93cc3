//! From a header and a payload to a datagram.

use gamewire_wire::Writer;

use super::LinkTokens;
use crate::shared::huffman::{TrailingByte, compress_if_smaller};
use crate::shared::packet::Header;
use crate::{v06, v07};

impl LinkTokens {
    /// The token at the end of every payload, as bytes.
    pub(super) const fn trailer(&self) -> Option<[u8; 4]> {
        match self {
            Self::Tken(token) => Some(token.0.to_be_bytes()),
            Self::V06 | Self::V065(_) | Self::V07 { .. } => None,
        }
    }

    /// Bytes of a packet header.
    pub(super) const fn header_size(&self) -> usize {
        match self {
            Self::V06 | Self::Tken(_) => 3,
            Self::V065(_) | Self::V07 { .. } => 7,
        }
    }
}

/// Writes a datagram to the front of `room` and returns its length: `payload`, which ends with
/// the trailer already, compressed if that makes it smaller. Control packets never are.
pub(super) fn pack(
    tokens: &LinkTokens,
    mut header: Header,
    payload: &[u8],
    ending: TrailingByte,
    room: &mut [u8],
) -> Option<usize> {
    let (front, back) = room.split_at_mut_checked(tokens.header_size())?;
    let place = back.get_mut(..payload.len())?;
    let compressed = if header.control { None } else { compress_if_smaller(payload, place, ending) };
    let length = compressed.unwrap_or_else(|| {
        place.copy_from_slice(payload);
        payload.len()
    });
    header.compressed = compressed.is_some();
    header.token = match tokens {
        LinkTokens::V06 | LinkTokens::Tken(_) => None,
        LinkTokens::V065(token) | LinkTokens::V07 { theirs: token, .. } => Some(*token),
    };
    let mut to = Writer::new(front);
    match tokens {
        LinkTokens::V07 { .. } => v07::wire::packet::write(&header, &mut to),
        _ => v06::wire::packet::write(&header, &mut to),
    }
    .ok()?;
    to.len().checked_add(length)
}
