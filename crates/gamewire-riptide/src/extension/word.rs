use super::frame::take;

/// `gwx1`.
const MAGIC: [u8; 4] = *b"gwx1";
const VERSION: u8 = 1;
/// Bits of what a side can do.
const CAN_ORDER: u8 = 1;
const CAN_JOIN: u8 = 2;

/// Who says a word. A server that passes messages on may pass on a client's, which another client
/// must not take for the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Client,
    Server,
}

impl Role {
    pub(super) const fn kind(self) -> u8 {
        match self {
            Self::Client => 0,
            Self::Server => 1,
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// What a side says of itself: that it knows the extension, and what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Whether it delivers messages in order.
    pub can_order: bool,
    /// Whether it joins the parts of messages over the limit of a packet.
    pub can_join: bool,
    /// The longest message that it takes, in bytes.
    pub longest: u32,
    /// How many bytes it holds of messages that are unfinished or wait.
    pub room: u32,
    /// How many such messages it holds.
    pub messages: u16,
}

impl Word {
    pub(super) fn encode(&self, role: Role) -> Vec<u8> {
        let mut bytes = vec![role.kind()];
        bytes.extend(MAGIC);
        bytes.push(VERSION);
        let (order, join) = (u8::from(self.can_order), u8::from(self.can_join));
        bytes.push(order.wrapping_mul(CAN_ORDER) | join.wrapping_mul(CAN_JOIN));
        bytes.extend(self.longest.to_le_bytes());
        bytes.extend(self.room.to_le_bytes());
        bytes.extend(self.messages.to_le_bytes());
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
        let is_one = kind == role.kind() && magic == MAGIC && version >= VERSION;
        is_one.then_some(Self { can_order, can_join, longest, room, messages })
    }
}
