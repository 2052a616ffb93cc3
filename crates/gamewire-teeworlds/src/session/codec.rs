use gamewire_wire::{CodecError, Reader, Writer};

use super::error::EncodeError;
use super::message::{ClientId, ClientMessage, ServerMessage};
use super::ranges::Ranges;
use super::roster::Roster;
use super::world::World;
use crate::shared::definition::MessageSet;
use crate::shared::message::Message;
use crate::shared::pack::FifthByte;
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::shared::version::{MessageOf, Version};

/// Conversion between the messages of servers and those of a version.
pub trait ServerMessageCodec: Version {
    /// Returns the session message, or [`ServerMessage::Other`] if a session does not act on it or if only clients send it.
    fn decode_server_message<'a>(message: &MessageOf<'a, Self>) -> ServerMessage<'a>;

    /// Writes a message as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn encode_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;
}

/// Conversion between the messages of clients and those of a version.
pub trait ClientMessageCodec: Version {
    /// The version of the protocol, as a client sends it in its first message.
    const NET_VERSION: &'static str;

    /// Returns the session message, or [`ClientMessage::Other`] if a session does not act on it or if only servers send it.
    fn decode_client_message<'a>(message: &MessageOf<'a, Self>) -> ClientMessage<'a>;

    /// Writes a message as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Returns whether the games read this message without checking the ranges of its numbers.
    fn skips_range_check(message: &MessageOf<'_, Self>) -> bool;
}

/// Conversion between worlds and the snapshots of a version.
pub trait WorldCodec: Version {
    /// Replaces `world` by the content of a snapshot of `tick`, with the names and teams of `roster`.
    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World);

    /// Replaces `snapshot` by `world` as `viewer` sees it.
    ///
    /// # Errors
    /// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull>;
}

/// Decodes the content of one chunk as the games do: a number out of its range is an error.
pub(crate) fn decode<V: ClientMessageCodec>(
    content: &[u8],
    fifth_byte: FifthByte,
) -> Result<MessageOf<'_, V>, CodecError> {
    let mut ranges = Ranges::default();
    let message = MessageOf::<V>::decode(Reader::new(content), fifth_byte, &mut ranges)?;
    if !V::skips_range_check(&message) {
        ranges.check(name_of::<V>(&message))?;
    }
    Ok(message)
}

fn name_of<V: Version>(message: &MessageOf<'_, V>) -> &'static str {
    match message {
        Message::System(message) => message.definition().name,
        Message::Game(message) => message.definition().name,
        Message::ExtendedSystem(message) => message.definition().name,
        Message::ExtendedGame(message) => message.definition().name,
        Message::Unknown(_) => "unknown_message",
    }
}
