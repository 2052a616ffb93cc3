//! Packets of this version.

use gamewire_machine::Role;

use gamewire_wire::{CodecError, Trace};

use crate::shared::packet::Packet;
use crate::v21::V21;
use crate::v21::message::MessageWriter;

/// Reads `datagram`, or the content of a TCP frame, and tells it as one group.
///
/// # Errors
/// When it is empty or ends before its last field does; the error has been told.
pub fn decode<'a, T: Trace>(
    datagram: &'a [u8],
    sender: Role,
    trace: &mut T,
) -> Result<Packet<'a>, CodecError> {
    Packet::decode::<V21, T>(datagram, sender, trace)
}

/// Writes a packet. Behind one with an empty payload the values of a message can be added to `to`.
///
/// # Errors
/// When there is no room, or this version has no such packet; then nothing is written.
pub fn encode(packet: &Packet<'_>, to: &mut MessageWriter<'_>) -> Result<(), CodecError> {
    packet.encode(to)
}
