//! Packets of and to those with whom there is no connection.

use gamewire_machine::Role;

use gamewire_machine::TransmitQueue;

use super::peer::max_size;
use super::{ReplyQueue, SendError, by_format};
use crate::shared::message::Writer;
use crate::shared::packet::{Packet, Reject};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::{Endpoint, Format};

/// More than any packet without data has.
const MAX_SMALL: usize = 16;

/// The data in a client's question for a connection; `None` if a packet is none.
pub(crate) fn connect_data(format: Format, packet: &[u8], max_payload_size: usize) -> Option<Payload<'_>> {
    if packet.len() > max_size(format, max_payload_size) {
        return None;
    }
    let decoded = by_format!(format, V => Packet::decode::<V, _>(packet, Role::Client, &mut ()));
    match decoded {
        Ok(Packet::Connect(connect)) => Some(connect.data),
        _ => None,
    }
}

/// Refuses a client with whom there is no connection.
pub(crate) fn refuse(
    format: Format,
    to: Endpoint,
    reason: u8,
    data: &Payload<'_>,
    max_payload_size: usize,
    out: &mut TransmitQueue<Endpoint>,
) -> Result<(), SendError> {
    let packet = Packet::from(Reject { reason, data: *data });
    let most = max_size(format, max_payload_size);
    let length = by_format!(format, V => out.write(to, most, |room| encode::<V>(&packet, room)));
    if length == 0 { Err(SendError::TooLong { length: data.byte_len(), most }) } else { Ok(()) }
}

/// Writes a packet without data, and gives its length.
pub(super) fn write_small<V: Version>(
    to: Endpoint,
    packet: &Packet<'_>,
    out: &mut TransmitQueue<Endpoint>,
) -> usize {
    out.write(to, MAX_SMALL, |room| encode::<V>(packet, room))
}

/// The same as an answer, of which none has more than 8 bytes.
pub(super) fn send_reply<V: Version>(to: &Endpoint, packet: &Packet<'_>, out: &mut ReplyQueue) -> usize {
    let mut word = [0; 8];
    let length = encode::<V>(packet, &mut word).unwrap_or_default();
    out.push(to, u64::from_le_bytes(word), length.try_into().unwrap_or_default());
    length
}

fn encode<V: Version>(packet: &Packet<'_>, room: &mut [u8]) -> Option<usize> {
    let most = room.len();
    let mut to = Writer::<V>::with_max_size(room, most);
    packet.encode(&mut to).ok()?;
    Some(to.written().len())
}
