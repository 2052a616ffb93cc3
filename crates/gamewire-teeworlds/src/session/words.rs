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

/// What a session says, in the messages of a version.
pub trait SessionCodec: Version {
    /// The version of the protocol, as a client names it in its first message.
    const NET_VERSION: &'static str;

    /// What a server says with `message`; [`ServerMessage::Other`] for what a session does not act
    /// on, and for what only clients say.
    fn from_server<'a>(message: &MessageOf<'a, Self>) -> ServerMessage<'a>;

    /// What a client says with `message`; [`ClientMessage::Other`] for what a session does not act
    /// on, and for what only servers say.
    fn from_client<'a>(message: &MessageOf<'a, Self>) -> ClientMessage<'a>;

    /// Writes what a server says, as the content of one chunk.
    ///
    /// # Errors
    /// When this version cannot say it, or when there is no room.
    fn write_from_server(word: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Writes what a client says, as the content of one chunk.
    ///
    /// # Errors
    /// When this version cannot say it, or when there is no room.
    fn write_from_client(word: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Makes `world` what a snapshot of `tick` shows, with what was said beside it in `roster`.
    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World);

    /// Makes `snapshot` what `viewer` is shown of `world`.
    ///
    /// # Errors
    /// When it is more than a snapshot can hold; what fitted is in it.
    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull>;

    /// Whether the games read this message without a look at the ranges of its numbers.
    fn skips_range_check(message: &MessageOf<'_, Self>) -> bool;
}

/// Reads the content of one chunk as the games do: a number out of its range is an error.
pub(super) fn read<'a, V: SessionCodec>(
    content: &'a [u8],
    fifth_byte: FifthByte,
) -> Result<MessageOf<'a, V>, CodecError> {
    let mut ranges = Ranges::default();
    let message = MessageOf::<V>::decode(Reader::new(content), fifth_byte, &mut ranges)?;
    if !V::skips_range_check(&message) {
        ranges.check(name_of::<V>(&message))?;
    }
    Ok(message)
}

/// Fails if the peer would drop what was written to `to` since `start`.
pub(super) fn check<V: SessionCodec>(
    start: usize,
    to: &Writer<'_>,
    fifth_byte: FifthByte,
) -> Result<(), EncodeError> {
    read::<V>(to.written().get(start..).unwrap_or_default(), fifth_byte)?;
    Ok(())
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
