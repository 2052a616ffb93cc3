//! How much a message can hold: a packet has a largest size in bytes, and its header takes as
//! many bits of it as it has.

use super::MessageSendMode;
use crate::Format;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// How many bits the values of a message may take behind its header, where both ends agreed on
/// `max_payload_size` bytes (by default [`MAX_PAYLOAD_SIZE`]). Without an id: user data of a
/// handshake, or a notify message; 0 for the latter in 2.0, which has none.
///
/// [`MAX_PAYLOAD_SIZE`]: crate::shared::version::MAX_PAYLOAD_SIZE
#[must_use]
pub fn max_payload_bits(
    format: Format,
    mode: MessageSendMode,
    id: Option<u16>,
    max_payload_size: usize,
) -> usize {
    match format {
        Format::V20 if mode == MessageSendMode::Notify => 0,
        Format::V20 => payload_bits_after_header::<V20>(mode, id, max_payload_size),
        Format::V21 => payload_bits_after_header::<V21>(mode, id, max_payload_size),
    }
}

fn payload_bits_after_header<V: Version>(
    mode: MessageSendMode,
    id: Option<u16>,
    max_payload_size: usize,
) -> usize {
    const SEQ_ID: usize = 16;
    /// Which ids came, and its own.
    const NOTIFY_ACKS: usize = 16 + 8 + SEQ_ID;
    let id_bits = id.map_or(0, V::id_bits);
    let fields = match mode {
        MessageSendMode::Unreliable => id_bits,
        MessageSendMode::Reliable => id_bits.saturating_add(SEQ_ID),
        MessageSendMode::Notify => NOTIFY_ACKS,
    };
    let packet = max_payload_size.saturating_add(V::MAX_HEADER_SIZE).saturating_mul(8);
    packet.saturating_sub(V::HEADER_BITS).saturating_sub(fields)
}
