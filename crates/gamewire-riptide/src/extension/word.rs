use gamewire_machine::Role;

use super::frame::take;

/// `gwx1`.
const MAGIC: [u8; 4] = *b"gwx1";
const VERSION: u8 = 1;
/// Bits of what a side can do.
const CAN_ORDER: u8 = 1;
const CAN_JOIN: u8 = 2;

/// Returns the code of the sender's role. A server that relays messages may relay a client's parameters, which
/// another client must not take for the server's.
const fn role_code(role: Role) -> u8 {
    match role {
        Role::Client => 0,
        Role::Server => 1,
    }
}

/// What a side says of itself: that it knows the extension, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtensionParams {
    /// Whether it delivers messages in order.
    pub can_order: bool,
    /// Whether it joins the parts of messages over the limit of a packet.
    pub can_reassemble: bool,
    /// The longest message that it takes, in bytes.
    pub max_message_size: u32,
    /// How many bytes it holds of messages that are unfinished or wait.
    pub reassembly_buffer: u32,
    /// How many such messages it holds.
    pub max_pending_messages: u16,
}

impl ExtensionParams {
    pub(super) fn encode(&self, role: Role) -> Vec<u8> {
        let mut bytes = vec![role_code(role)];
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        let (order, join) = (u8::from(self.can_order), u8::from(self.can_reassemble));
        bytes.push(order.wrapping_mul(CAN_ORDER) | join.wrapping_mul(CAN_JOIN));
        bytes.extend(self.max_message_size.to_le_bytes());
        bytes.extend(self.reassembly_buffer.to_le_bytes());
        bytes.extend(self.max_pending_messages.to_le_bytes());
        bytes
    }

    /// `None` for anything else than the word of a side with that role. What follows, and higher
    /// versions, are of later extensions, which must keep this one.
    pub(super) fn decode(mut bytes: &[u8], role: Role) -> Option<Self> {
        let from = &mut bytes;
        let [kind] = take(from)?;
        let magic: [u8; 4] = take(from)?;
        let [version, can] = take(from)?;
        let longest = u32::from_le_bytes(take(from)?);
        let room = u32::from_le_bytes(take(from)?);
        let messages = u16::from_le_bytes(take(from)?);
        let (can_order, can_join) = (can & CAN_ORDER != 0, can & CAN_JOIN != 0);
        let is_one = kind == role_code(role) && magic == MAGIC && version >= VERSION;
        is_one.then_some(Self {
            can_order,
            can_reassemble: can_join,
            max_message_size: longest,
            reassembly_buffer: room,
            max_pending_messages: messages,
        })
    }
}
