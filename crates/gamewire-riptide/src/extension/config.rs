use super::Word;

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
    pub longest: usize,
    /// How many bytes of unfinished messages, and of messages that wait for their turn, are held
    /// for a peer: 1 MiB. Each packet counts 64 bytes more.
    pub room: usize,
    /// How many such messages are held for a peer: 1024. At most 16384.
    pub messages: u16,
}

impl ExtensionConfig {
    /// The id that carries it unless another is given.
    pub const DEFAULT_ID: u16 = 65_535;

    /// What this side says of itself.
    pub(super) fn word(&self) -> Word {
        let size = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        let (longest, room) = (size(self.longest), size(self.room));
        Word { can_order: true, can_join: true, longest, room, messages: self.messages() }
    }

    pub(super) fn messages(&self) -> u16 {
        self.messages.clamp(1, MOST_MESSAGES)
    }
}

impl Default for ExtensionConfig {
    fn default() -> Self {
        Self { id: Self::DEFAULT_ID, longest: 256 << 10, room: 1 << 20, messages: 1_024 }
    }
}
