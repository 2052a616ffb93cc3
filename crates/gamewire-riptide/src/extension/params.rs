use gamewire_machine::Role;

use super::frame::take;

/// Maximum pending messages, so that the order of two numbers is unambiguous.
const MAX_MESSAGES: u16 = 16_384;
/// The start of the parameters, after the role.
const MAGIC: [u8; 4] = *b"gwx1";
const VERSION: u8 = 1;
/// Bits of the capabilities.
const CAN_ORDER: u8 = 1;
const CAN_REASSEMBLE: u8 = 2;

/// Returns the code of the sender's role. A server may relay a client's parameters to other clients; the code
/// distinguishes them from the server's own.
const fn role_code(role: Role) -> u8 {
    match role {
        Role::Client => 0,
        Role::Server => 1,
    }
}

/// The parameters that each side sends in the negotiation of the extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtensionParams {
    /// True if the sender delivers messages in order.
    pub can_order: bool,
    /// True if the sender reassembles messages that are too long for a packet.
    pub can_reassemble: bool,
    /// Maximum bytes of a message.
    pub max_message_size: u32,
    /// Maximum bytes of incomplete and waiting messages.
    pub reassembly_buffer: u32,
    /// Maximum number of incomplete and waiting messages.
    pub max_pending_messages: u16,
}

impl ExtensionParams {
    pub(super) fn encode(&self, role: Role) -> Vec<u8> {
        let mut bytes = vec![role_code(role)];
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        let (order, reassemble) = (u8::from(self.can_order), u8::from(self.can_reassemble));
        bytes.push(order.wrapping_mul(CAN_ORDER) | reassemble.wrapping_mul(CAN_REASSEMBLE));
        bytes.extend(self.max_message_size.to_le_bytes());
        bytes.extend(self.reassembly_buffer.to_le_bytes());
        bytes.extend(self.max_pending_messages.to_le_bytes());
        bytes
    }

    /// Decodes the parameters of a side with this role. Returns `None` for other bytes. Later versions may append
    /// fields, but must keep these.
    pub(super) fn decode(mut bytes: &[u8], role: Role) -> Option<Self> {
        let from = &mut bytes;
        let [kind] = take(from)?;
        let magic: [u8; 4] = take(from)?;
        let [version, can] = take(from)?;
        let max_message_size = u32::from_le_bytes(take(from)?);
        let reassembly_buffer = u32::from_le_bytes(take(from)?);
        let max_pending_messages = u16::from_le_bytes(take(from)?);
        let (can_order, can_reassemble) = (can & CAN_ORDER != 0, can & CAN_REASSEMBLE != 0);
        let is_valid = kind == role_code(role) && magic == MAGIC && version >= VERSION;
        is_valid.then_some(Self {
            can_order,
            can_reassemble,
            max_message_size,
            reassembly_buffer,
            max_pending_messages,
        })
    }
}

/// Configuration of the extension: ordered delivery, and messages that are too long for a packet. The peer must have
/// the extension, too.
///
/// The limits apply to messages of the peer, which learns them in the negotiation. A peer that exceeds them is
/// disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExtensionConfig {
    /// The message id that carries the extension. The game must not use it, and both peers must use the same.
    /// Default: 65535.
    pub id: u16,
    /// Maximum bytes of a message. Default: 1 MiB.
    pub max_message_size: usize,
    /// Maximum bytes of incomplete messages, and of messages that wait for earlier ones, for each peer. Each packet counts
    /// 64 bytes more. Default: 2 MiB.
    pub reassembly_buffer: usize,
    /// Maximum number of incomplete and waiting messages for each peer, at most 16384. Default: 1024.
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
        Self { id: Self::DEFAULT_ID, max_message_size: 1 << 20, reassembly_buffer: 2 << 20, messages: 1_024 }
    }
}
