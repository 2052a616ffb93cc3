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

/// Translation between the messages of a session and those of a version.
pub trait SessionCodec: Version {
    /// The version of the protocol, as a client sends it in its first message.
    const NET_VERSION: &'static str;

    /// Returns the session message that a server sends as `message`, or [`ServerMessage::Other`] if a session does not
    /// act on it or if only clients send it.
    fn to_server_message<'a>(message: &MessageOf<'a, Self>) -> ServerMessage<'a>;

    /// Returns the session message that a client sends as `message`, or [`ClientMessage::Other`] if a session does not
    /// act on it or if only servers send it.
    fn to_client_message<'a>(message: &MessageOf<'a, Self>) -> ClientMessage<'a>;

    /// Writes a message of a server as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn write_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Writes a message of a client as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn write_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Replaces `world` by the content of a snapshot of `tick`, with the names and teams of `roster`.
    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World);

    /// Replaces `snapshot` by `world` as `viewer` sees it.
    ///
    /// # Errors
    /// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull>;

    /// Returns whether the games read this message without checking the ranges of its numbers.
    fn skips_range_check(message: &MessageOf<'_, Self>) -> bool;
}

/// Decodes the content of one chunk as the games do: a number out of its range is an error.
pub(crate) fn decode<V: SessionCodec>(
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

fn name_of<V: SessionCodec>(message: &MessageOf<'_, V>) -> &'static str {
    match message {
        Message::System(message) => message.definition().name,
        Message::Game(message) => message.definition().name,
        Message::ExtendedSystem(message) => message.definition().name,
        Message::ExtendedGame(message) => message.definition().name,
        Message::Unknown(_) => "unknown_message",
    }
}
