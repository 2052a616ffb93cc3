use crate::shared::packet::Packet;
use gamewire_machine::Role;

/// What of a packet a layout describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageKind {
    /// The values of reliable and unreliable messages with this id.
    Message(u16),
    /// The values of notify messages, which have no id.
    Notify,
    /// What a client says when it connects.
    Connect,
    /// What a server says when it refuses a client.
    Reject,
    /// What a server says when it kicks a client.
    Kick,
}

impl MessageKind {
    /// Where the application's part of a packet stands; `None` when it has none.
    #[must_use]
    pub const fn of(packet: &Packet<'_>) -> Option<Self> {
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

    /// The only side that has something to say here, if it is only one.
    #[must_use]
    pub const fn side(self) -> Option<Role> {
        match self {
            Self::Message(_) | Self::Notify => None,
            Self::Connect => Some(Role::Client),
            Self::Reject | Self::Kick => Some(Role::Server),
        }
    }
}

/// A message as its application describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageDefinition {
    /// Where it stands.
    pub place: MessageKind,
    /// Who sends it; `None` for both.
    pub from: Option<Role>,
    /// Its name: letters, digits and `_`.
    pub name: String,
    /// Its fields in wire order: `tick: ushort`, `ids: int[]`, `grid: byte[16]`, and perhaps
    /// ` # what it means` behind.
    pub fields: Vec<String>,
    /// What it is for; may be empty.
    pub doc: String,
}

/// Values that stand together in messages, as the original's `IMessageSerializable` does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructDefinition {
    /// Its name, the type of fields.
    pub name: String,
    /// Its fields, as those of [`MessageDefinition::fields`].
    pub fields: Vec<String>,
}

impl MessageDefinition {
    /// A message that both sides send.
    pub fn new<S: Into<String>>(
        place: MessageKind,
        name: impl Into<String>,
        fields: impl IntoIterator<Item = S>,
    ) -> Self {
        let fields = fields.into_iter().map(Into::into).collect();
        Self { place, from: None, name: name.into(), fields, doc: String::new() }
    }

    /// The same, sent by one side only.
    #[must_use]
    pub fn sent_by(self, side: Role) -> Self {
        Self { from: Some(side), ..self }
    }
}

impl StructDefinition {
    /// Values under a name.
    pub fn new<S: Into<String>>(name: impl Into<String>, fields: impl IntoIterator<Item = S>) -> Self {
        Self { name: name.into(), fields: fields.into_iter().map(Into::into).collect() }
    }
}
