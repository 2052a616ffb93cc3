//! Packets that belong to no connection, and the browsing messages in them.

use gamewire_wire::{CodecError, Found, Reader, Writer};

use super::Reject;
use crate::shared::connless::PREFIX;
use crate::shared::definition::MessageSet;
use crate::shared::pack::{FifthByte, Unpacker};
use crate::shared::packet::Packet;
use crate::{v06, v07};

/// The bit that says in all versions that a packet belongs to no connection.
const CONNLESS: u8 = 0x20;

/// A packet that belongs to no connection, of either version.
pub(super) enum Connless<'a> {
    V06 { header: v06::wire::packet::ConnlessHeader, payload: Reader<'a> },
    V07 { header: v07::wire::packet::ConnlessHeader, payload: Reader<'a> },
}

/// Takes the header off; `None` if the packet belongs to a connection.
pub(super) fn connless(datagram: &[u8]) -> Result<Option<Connless<'_>>, Reject> {
    let first = datagram.first().copied().unwrap_or(0);
    if first & CONNLESS == 0 {
        return Ok(None);
    }
    // The low two bits hold the version of 0.7; in 0.6 they belong to `ff` or to `x`.
    let connless = if first & 0x03 == 1 {
        match v07::wire::packet::parse(datagram, &mut ())? {
            Packet::Connless { header, payload } => Connless::V07 { header, payload },
            Packet::Connected { .. } => return Ok(None),
        }
    } else {
        match v06::wire::packet::parse(datagram, &mut ())? {
            Packet::Connless { header, payload } => Connless::V06 { header, payload },
            Packet::Connected { .. } => return Ok(None),
        }
    };
    Ok(Some(connless))
}

/// The browsing message that fills `payload`; `None` if it is unknown.
pub(super) fn message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    mut payload: Reader<'a>,
) -> Result<Option<M>, CodecError> {
    let start = payload.offset();
    let prefix = payload.array::<4>("four bytes ff")?;
    if prefix != PREFIX {
        return Err(CodecError::new(start, "four bytes ff", Found::Value(prefix[0].into())));
    }
    let letters = payload.take(4, "four letters")?;
    let Some(letters) = letters.first_chunk() else { return Ok(None) };
    M::decode(letters, &mut Unpacker::new(payload, FifthByte::Teeworlds), &mut (), |message| message)
}

/// Writes a browsing message behind its header.
pub(super) fn write_message<'a, M: MessageSet<'a, Id = &'a [u8; 4]>>(
    message: &M,
    to: &mut Writer<'_>,
) -> Result<(), CodecError> {
    to.bytes(&PREFIX)?;
    to.bytes(message.id())?;
    message.encode(to)
}
