//! TCP frames of this version (docs/protocols/riptide.md, "TCP").

use gamewire_wire::{CodecError, Writer};

use crate::shared::frame;
use crate::v21::V21;

/// Bytes in front of a packet: a signed number, little-endian.
pub(crate) const PREFIX: usize = 4;

/// Takes a stream apart into packets.
pub type FrameSplitter = frame::FrameSplitter<V21>;

/// The number in a prefix.
pub(crate) const fn length(prefix: [u8; 4]) -> i64 {
    i32::from_le_bytes(prefix) as i64
}

/// The prefix of a frame of `length` bytes, if it can say so many.
pub(crate) fn prefix(length: usize) -> Option<[u8; 4]> {
    Some(i32::try_from(length).ok()?.to_le_bytes())
}

/// Writes a packet as a frame.
///
/// # Errors
/// When there is no room, or it is empty or too long for the prefix.
pub fn write(packet: &[u8], to: &mut Writer<'_>) -> Result<(), CodecError> {
    frame::write::<V21>(packet, to)
}
