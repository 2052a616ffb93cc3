use super::ExtensionParams;

/// Maximum pending messages, so that the order of two numbers is unambiguous.
const MAX_MESSAGES: u16 = 16_384;

/// Configuration of ordered delivery, and of messages that are too long for a packet, for peers that have the extension,
/// too.
///
/// The limits apply to what a peer sends. It learns them in the negotiation; a peer that exceeds them is disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExtensionConfig {
    /// The message id that carries the extension. The game must not use it, and both peers must use the same.
    /// Default: 65535.
    pub id: u16,
    /// Maximum bytes of a message. Default: 256 KiB.
    pub max_message_size: usize,
    /// Maximum bytes of incomplete messages, and of messages that wait for earlier ones, for each peer. Each packet counts
    /// 64 bytes more. Default: 1 MiB.
    pub reassembly_buffer: usize,
    /// Maximum number of such messages for each peer, at most 16384. Default: 1024.
    pub messages: u16,
}

impl ExtensionConfig {
    /// The default message id.
    pub const DEFAULT_ID: u16 = 65_535;

    /// Returns the parameters that the peer receives.
    pub(super) fn params(&self) -> ExtensionParams {
        let size = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
        ExtensionParams {
            can_order: true,
            can_reassemble: true,
            max_message_size: size(self.max_message_size),
            reassembly_buffer: size(self.reassembly_buffer),
            max_pending_messages: self.max_pending_messages(),
        }
    }

    pub(super) fn max_pending_messages(&self) -> u16 {
        self.messages.clamp(1, MAX_MESSAGES)
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
