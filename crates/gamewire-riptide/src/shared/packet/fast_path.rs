//! Reliable messages and acks, nearly all of the traffic, encoded and decoded as one 64-bit number
//! instead of field by field. [`Packet`](super::Packet) reads and writes the same bytes.
#![allow(clippy::arithmetic_side_effects, reason = "bit counts of a header stay far below 64")]

use super::Ack;
use crate::shared::bits::low_16;
use crate::shared::payload::Payload;
use crate::shared::version::Version;

const ACK: u64 = 1;
/// Number of [`Header::AckExtra`](crate::shared::header::Header::AckExtra) in 2.0.
const ACK_EXTRA: u64 = 2;
const RELIABLE: u64 = 7;
/// Bytes of an ack without and with an additional id.
const SHORT_BYTES: u8 = 5;
const LONG_BYTES: u8 = 7;

/// Returns the header, a sequence id of 0 and the message id of a reliable message, and their number of
/// bits. The sequence id belongs at bit [`Version::HEADER_BITS`].
#[inline]
pub(crate) fn encode_reliable_head<V: Version>(id: u16) -> (u64, usize) {
    let (id, bits) = V::encode_id(id);
    let before_id = V::HEADER_BITS + 16;
    (RELIABLE | id << before_id, before_id + bits)
}

/// The head of a reliable message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReliableHead {
    pub(crate) seq_id: u16,
    /// Id of the message.
    pub(crate) id: u16,
    /// Bit of the packet at which the values start.
    pub(crate) start: usize,
}

/// Decodes the head of a reliable message. `head` is the first 64 bits of a packet of `count` bits, padded with zeros. Returns
/// `None` for everything else and for rare encodings.
#[inline]
pub(crate) fn decode_reliable_head<V: Version>(head: u64, count: usize) -> Option<ReliableHead> {
    if header_number::<V>(head) != RELIABLE {
        return None;
    }
    let before_id = V::HEADER_BITS + 16;
    let (id, bits) = V::decode_id(head >> before_id)?;
    let start = before_id + bits;
    (count >= start).then_some(ReliableHead { seq_id: low_16(head >> V::HEADER_BITS), id, start })
}

/// Returns an ack without its trailing bits, and its number of bytes.
#[inline]
pub(crate) fn encode_ack<V: Version>(ack: &Ack<'_>) -> (u64, u8) {
    let (last, received) = (u64::from(ack.last_received_seq_id), u64::from(ack.received_seq_ids));
    let fields = last << V::HEADER_BITS | received << (V::HEADER_BITS + 16);
    let end = V::HEADER_BITS + 32;
    match ack.for_seq_id {
        None => (ACK | fields, SHORT_BYTES),
        Some(id) if V::HAS_BITS => (ACK | fields | 1 << end | u64::from(id) << (end + 1), LONG_BYTES),
        Some(id) => (ACK_EXTRA | fields | u64::from(id) << end, LONG_BYTES),
    }
}

/// Decodes an ack without its trailing bits; `head` and `count` as in [`decode_reliable_head`]. Returns
/// `None` for everything else.
#[inline]
pub(crate) fn decode_ack<V: Version>(head: u64, count: usize) -> Option<Ack<'static>> {
    let end = V::HEADER_BITS + 32;
    let (has_id, id_at) = match header_number::<V>(head) {
        ACK if V::HAS_BITS => (head >> end & 1 == 1, end + 1),
        ACK => (false, end),
        ACK_EXTRA if !V::HAS_BITS => (true, end),
        _ => return None,
    };
    let min = if has_id { id_at + 16 } else { id_at };
    (count >= min).then(|| Ack {
        last_received_seq_id: low_16(head >> V::HEADER_BITS),
        received_seq_ids: low_16(head >> (V::HEADER_BITS + 16)),
        for_seq_id: has_id.then(|| low_16(head >> id_at)),
        trailing: Payload::EMPTY,
    })
}

#[inline]
fn header_number<V: Version>(head: u64) -> u64 {
    head & ((1 << V::HEADER_BITS) - 1)
}
