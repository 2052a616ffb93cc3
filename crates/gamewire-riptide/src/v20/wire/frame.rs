//! TCP frames of this version (docs/protocols/riptide.md, "TCP").

use gamewire_wire::{CodecError, Writer};

use crate::shared::frame;
use crate::v20::V20;

/// Bytes in front of a packet: an unsigned number, little-endian.
pub(crate) const PREFIX: usize = 2;

/// Takes a stream apart into packets.
pub type FrameSplitter = frame::FrameSplitter<V20>;

/// The number in a prefix.
pub(crate) const fn length(prefix: [u8; 4]) -> i64 {
    let [low, high, ..] = prefix;
    u16::from_le_bytes([low, high]) as i64
}

/// The prefix of a frame of `length` bytes, if it can say so many.
pub(crate) fn prefix(length: usize) -> Option<[u8; 4]> {
    let [low, high] = u16::try_from(length).ok()?.to_le_bytes();
    Some([low, high, 0, 0])
}

/// Writes a packet as a frame.
///
/// # Errors
/// When there is no room, or it is empty or too long for the prefix.
pub fn write(packet: &[u8], to: &mut Writer<'_>) -> Result<(), CodecError> {
    frame::write::<V20>(packet, to)
}
