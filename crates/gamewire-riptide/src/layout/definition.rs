use gamewire_machine::Role;

use crate::shared::packet::Packet;

/// Part of a packet that a layout describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MessageKind {
    /// The values of reliable and unreliable messages with this id.
    Message(u16),
    /// The values of notify messages, which have no id.
    Notify,
    /// Connect data of a client.
    Connect,
    /// Data of a server that rejects a client.
    Reject,
    /// Data of a server that kicks a client.
    Kick,
}

impl MessageKind {
    /// Returns the kind of a packet's user data, or `None` if it has none.
    pub const fn from_packet(packet: &Packet<'_>) -> Option<Self> {
        match packet {
            Packet::Unreliable(packet) => Some(Self::Message(packet.id)),
            Packet::Reliable(packet) => Some(Self::Message(packet.id)),
            Packet::Notify(_) => Some(Self::Notify),
            Packet::Connect(_) => Some(Self::Connect),
            Packet::Reject(_) => Some(Self::Reject),
            Packet::Disconnect(_) => Some(Self::Kick),
            _ => None,
        }
    }

    /// Returns the sender if only one role sends this kind.
    #[must_use]
    pub const fn sender(self) -> Option<Role> {
        match self {
            Self::Message(_) | Self::Notify => None,
            Self::Connect => Some(Role::Client),
            Self::Reject | Self::Kick => Some(Role::Server),
        }
    }
}

/// Definition of a message by its application.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MessageDefinition {
    /// Kind of message.
    pub kind: MessageKind,
    /// Sender; `None` for both roles.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialize::role"))]
    pub from: Option<Role>,
    /// Name: letters, digits and `_`.
    pub name: String,
    /// Fields in wire order: `tick: ushort`, `ids: int[]`, `grid: byte[16]`, optionally followed by
    /// ` # documentation`.
    pub fields: Vec<String>,
    /// Documentation; may be empty.
    pub doc: String,
}

/// Definition of a group of values, like the C# library's `IMessageSerializable`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StructDefinition {
    /// Name, which fields use as their type.
    pub name: String,
    /// Fields, as in [`MessageDefinition::fields`].
    pub fields: Vec<String>,
}

impl MessageDefinition {
    /// Creates a definition of a message that both roles send.
    pub fn new<S: Into<String>>(
        kind: MessageKind,
        name: impl Into<String>,
        fields: impl IntoIterator<Item = S>,
    ) -> Self {
        let fields = fields.into_iter().map(Into::into).collect();
        Self { kind, from: None, name: name.into(), fields, doc: String::new() }
    }

    /// Restricts the message to one sender.
    #[must_use]
    pub fn sent_by(self, sender: Role) -> Self {
        Self { from: Some(sender), ..self }
    }
}

impl StructDefinition {
    /// Creates a definition of a struct.
    pub fn new<S: Into<String>>(name: impl Into<String>, fields: impl IntoIterator<Item = S>) -> Self {
        Self { name: name.into(), fields: fields.into_iter().map(Into::into).collect() }
    }
}
