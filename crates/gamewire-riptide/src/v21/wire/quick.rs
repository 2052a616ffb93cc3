//! The two packets that nearly all traffic consists of, as a number of 64 bits: no field of theirs
//! is looked at for itself. Everything else takes the way over `Packet`, and so may these.

use crate::shared::bits::low_16;
use crate::shared::packet::Ack;
use crate::shared::payload::Payload;

const ACK: u64 = 1;
const RELIABLE: u64 = 7;
/// Bits of the header number, and of all before the message id.
const NUMBER: usize = 4;
const BEFORE_ID: usize = 20;
/// Bits of an ack without and with a further id, and bytes.
const PLAIN_ACK: usize = 37;
const EXTRA_ACK: usize = 53;
const PLAIN_BYTES: u8 = 5;
const EXTRA_BYTES: u8 = 7;
/// In a byte of a message id: more follow.
const MORE: u64 = 0x80;

/// The header and message id of a reliable message, with a sequence id of 0 between them, and how many
/// bits they take.
#[inline]
pub(crate) const fn reliable_head(id: u16) -> (u64, usize) {
    let id = id as u64;
    let (id, count) = match id {
        0..0x80 => (id, 8),
        0x80..0x4000 => (id & 0x7f | MORE | id >> 7 << 8, 16),
        _ => (id & 0x7f | MORE | (id >> 7 & 0x7f | MORE) << 8 | id >> 14 << 16, 24),
    };
    (RELIABLE | id << BEFORE_ID, BEFORE_ID.saturating_add(count))
}

/// The sequence id and message id of a reliable message, and how many bits stand before its values.
/// `head` are the first bits of a packet, zeros behind its end, and `count` how many it has. `None`
/// says nothing.
#[inline]
pub(crate) fn read_reliable_head(head: u64, count: usize) -> Option<(u16, u16, usize)> {
    if head & 0xf != RELIABLE {
        return None;
    }
    let (low, high) = (head >> BEFORE_ID & 0xff, head >> (BEFORE_ID + 8) & 0xff);
    let (id, end) = match (low < MORE, high < MORE) {
        (true, _) => (low, BEFORE_ID + 8),
        // Larger ones, and those that are longer than need be, are rare.
        (false, true) if high > 0 => (low & 0x7f | high << 7, BEFORE_ID + 16),
        _ => return None,
    };
    (count >= end).then_some((low_16(head >> NUMBER), low_16(id), end))
}

/// An ack, and how many bytes it takes.
#[inline]
pub(crate) fn ack(ack: &Ack<'_>) -> (u64, u8) {
    let (last, received) = (u64::from(ack.last_received_seq_id), u64::from(ack.received_seq_ids));
    let plain = ACK | last << NUMBER | received << BEFORE_ID;
    match ack.for_seq_id {
        None => (plain, PLAIN_BYTES),
        Some(id) => (plain | 1 << (PLAIN_ACK - 1) | u64::from(id) << PLAIN_ACK, EXTRA_BYTES),
    }
}

/// An ack, without what may follow it. `head`, `count` and `None` as in [`read_reliable_head`].
#[inline]
pub(crate) fn read_ack(head: u64, count: usize) -> Option<Ack<'static>> {
    if head & 0xf != ACK {
        return None;
    }
    let is_extra = head >> (PLAIN_ACK - 1) & 1 == 1;
    let least = if is_extra { EXTRA_ACK } else { PLAIN_ACK };
    (count >= least).then(|| Ack {
        last_received_seq_id: low_16(head >> NUMBER),
        received_seq_ids: low_16(head >> BEFORE_ID),
        for_seq_id: is_extra.then(|| low_16(head >> PLAIN_ACK)),
        trailing: Payload::EMPTY,
    })
}
