use super::ExtensionParams;

/// The most messages that may be under way: order numbers must tell before from after.
const MOST_MESSAGES: u16 = 16_384;

/// Ordered delivery and messages over the limit of a packet, with peers that have this too.
///
/// The bounds are what is taken from a peer; it is told them, and keeps within them. Who does not
/// is disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExtensionConfig {
    /// The message id that carries it: 65535. The game must not use it, and the peer must have the
    /// same.
    pub id: u16,
    /// The longest message, in bytes: 256 KiB.
    pub max_message_size: usize,
    /// How many bytes of unfinished messages, and of messages that wait for their turn, are held
    /// for a peer: 1 MiB. Each packet counts 64 bytes more.
    pub reassembly_buffer: usize,
    /// How many such messages are held for a peer: 1024. At most 16384.
    pub messages: u16,
}

impl ExtensionConfig {
    /// The id that carries it unless another is given.
    pub const DEFAULT_ID: u16 = 65_535;

    /// What this side says of itself.
    pub(super) fn word(&self) -> ExtensionParams {
        let size = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let (longest, room) = (size(self.max_message_size), size(self.reassembly_buffer));
        ExtensionParams {
            can_order: true,
            can_reassemble: true,
            max_message_size: longest,
            reassembly_buffer: room,
            max_pending_messages: self.max_pending_messages(),
        }
    }

    pub(super) fn max_pending_messages(&self) -> u16 {
        self.messages.clamp(1, MOST_MESSAGES)
    }
}

impl Default for ExtensionConfig {
    fn default() -> Self {
        Self {
            id: Self::DEFAULT_ID,
            max_message_size: 256 << 10,
            reassembly_buffer: 1 << 20,
            messages: 1_024,
        }
    }
}
