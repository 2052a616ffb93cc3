use core::fmt;

use crate::Format;
use crate::shared::version::Version;
use crate::versions::by_format;

/// Send mode of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MessageSendMode {
    /// Sent once. It may be lost, duplicated or reordered.
    Unreliable,
    /// Resent until the peer acknowledges it. It arrives once, but may be reordered.
    Reliable,
    /// Sent once and without an id. The receiver drops it if a newer one arrived first; the sender learns
    /// whether it arrived. 2.0 does not support it.
    Notify,
}

impl MessageSendMode {
    /// All modes.
    pub const ALL: [Self; 3] = [Self::Unreliable, Self::Reliable, Self::Notify];
}

/// Writes the name in lower case.
impl fmt::Display for MessageSendMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Unreliable => "unreliable",
            Self::Reliable => "reliable",
            Self::Notify => "notify",
        })
    }
}

/// Returns the maximum number of bits of a message's values after its header, if both ends use
/// `max_payload_size` bytes (by default [`MAX_PAYLOAD_SIZE`]). User data of a handshake and notify messages
/// have no id. Returns 0 for notify messages in 2.0, which does not support them.
///
/// [`MAX_PAYLOAD_SIZE`]: crate::raw::MAX_PAYLOAD_SIZE
pub fn max_payload_bits(
    format: Format,
    mode: MessageSendMode,
    id: Option<u16>,
    max_payload_size: usize,
) -> usize {
    let (id, seq_id_bits) = match mode {
        MessageSendMode::Unreliable => (id, 0),
        MessageSendMode::Reliable => (id, 16),
        MessageSendMode::Notify if format == Format::V20 => return 0,
        MessageSendMode::Notify => (None, 40),
    };
    by_format!(format, V => {
        let id_bits = id.map_or(0, |id| V::encode_id(id).1);
        let packet = max_payload_size.saturating_add(V::MAX_HEADER_SIZE).saturating_mul(8);
        packet.saturating_sub(V::HEADER_BITS).saturating_sub(seq_id_bits).saturating_sub(id_bits)
    })
}
