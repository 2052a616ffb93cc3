//! The two packets that nearly all traffic consists of, as a number of 64 bits: no field of theirs
//! is looked at for itself. Everything else takes the way over `Packet`, and so may these.

use crate::shared::bits::low_16;
use crate::shared::packet::Ack;
use crate::shared::payload::Payload;

const ACK: u64 = 1;
const ACK_EXTRA: u64 = 2;
const RELIABLE: u64 = 7;
/// Bits before the first, second and third number of a packet, and behind them.
const FIRST: usize = 8;
const SECOND: usize = 24;
const THIRD: usize = 40;
const END: usize = 56;
/// Bytes of an ack without and with a further id.
const PLAIN_BYTES: u8 = 5;
const EXTRA_BYTES: u8 = 7;

/// The header and message id of a reliable message, with a sequence id of 0 between them, and how many
/// bits they take.
#[inline]
pub(crate) const fn reliable_head(id: u16) -> (u64, usize) {
    (RELIABLE | (id as u64) << SECOND, THIRD)
}

/// The sequence id and message id of a reliable message, and how many bits stand before its values.
/// `head` are the first bits of a packet, zeros behind its end, and `count` how many it has. `None`
/// says nothing.
pub(crate) fn read_reliable_head(head: u64, count: usize) -> Option<(u16, u16, usize)> {
    let is_one = head & 0xff == RELIABLE && count >= THIRD;
    is_one.then_some((low_16(head >> FIRST), low_16(head >> SECOND), THIRD))
}

/// An ack, and how many bytes it takes.
pub(crate) fn ack(ack: &Ack<'_>) -> (u64, u8) {
    let (last, received) = (u64::from(ack.last_received_seq_id), u64::from(ack.received_seq_ids));
    let fields = last << FIRST | received << SECOND;
    match ack.for_seq_id {
        None => (ACK | fields, PLAIN_BYTES),
        Some(id) => (ACK_EXTRA | fields | u64::from(id) << THIRD, EXTRA_BYTES),
    }
}

/// An ack, without what may follow it. `head`, `count` and `None` as in [`read_reliable_head`].
pub(crate) fn read_ack(head: u64, count: usize) -> Option<Ack<'static>> {
    let (is_extra, least) = match head & 0xff {
        ACK => (false, THIRD),
        ACK_EXTRA => (true, END),
        _ => return None,
    };
    (count >= least).then(|| Ack {
        last_received_seq_id: low_16(head >> FIRST),
        received_seq_ids: low_16(head >> SECOND),
        for_seq_id: is_extra.then(|| low_16(head >> THIRD)),
        trailing: Payload::EMPTY,
    })
}
