//! The messages and worlds of the model in the version that a dialect uses.

mod server_info;
mod set_field;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]
mod tests;
mod whisper;
mod wire_message;

pub use wire_message::{MessageBuf, WireMessage};

use gamewire_wire::{Reader, Result, Writer};

use crate::Dialect;
use crate::dialect::with_version;
use crate::model::ranges::Ranges;
use crate::model::world::{Player, PlayerStatus};
use crate::model::{
    ClientId, ClientMessage, EncodeError, MessageCodec, Point, Roster, ServerMessage, World, WorldCodec as _,
    ends, insert_own_player, read_world, write_extended, write_world,
};
use crate::shared::pack::FifthByte;
use crate::shared::snapshot::{Item, Key, Sizes, Snapshot, SnapshotFull};
use crate::shared::version::{MessageOf, Version};

impl Dialect {
    /// Decodes a message of a server from the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the games would drop the message: a field is missing or broken, or
    /// a number is out of its range.
    pub fn decode_server_message(self, content: &[u8]) -> Result<ServerMessage<'_>> {
        with_version!(self, V => {
            let message = decode::<V>(content, self.fifth_byte())?;
            Ok(V::server_message(&message).unwrap_or(ServerMessage::Other(content)))
        })
    }

    /// Decodes a message of a client from the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the games would drop the message: a field is missing or broken, or
    /// a number is out of its range.
    pub fn decode_client_message(self, content: &[u8]) -> Result<ClientMessage<'_>> {
        with_version!(self, V => {
            let message = decode::<V>(content, self.fifth_byte())?;
            Ok(V::client_message(&message).unwrap_or(ClientMessage::Other(content)))
        })
    }

    /// Writes a message of a server as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if the dialect has no such message, a value is out of its range, or the buffer is full. The
    /// bytes written so far are incomplete.
    pub fn encode_server_message(
        self,
        message: &ServerMessage<'_>,
        to: &mut Writer<'_>,
    ) -> Result<(), EncodeError> {
        with_version!(self, V => V::encode_server_message(message, to))
    }

    /// Writes a message of a client as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if the dialect has no such message, a value is out of its range, or the buffer is full. The
    /// bytes written so far are incomplete.
    pub fn encode_client_message(
        self,
        message: &ClientMessage<'_>,
        to: &mut Writer<'_>,
    ) -> Result<(), EncodeError> {
        with_version!(self, V => V::encode_client_message(message, to))
    }

    /// Replaces `world` with the content of a snapshot of `tick`, with the names and teams of `roster`. Does not
    /// allocate if `world` has held as much before.
    pub fn read_world(self, tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
        with_version!(self, V => read_world::<V>(tick, snapshot, roster, world));
    }

    /// Replaces `snapshot` with `world` as `viewer` sees it. If `viewer` is `None`, only the parts that all viewers see
    /// alike are written. Players with an id that the version does not allow are left out. Objects of DDNet are left
    /// out in all dialects but DDNet's. Does not allocate if `snapshot` has held as much before.
    ///
    /// # Errors
    /// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
    pub fn write_world(
        self,
        world: &World,
        viewer: Option<ClientId>,
        snapshot: &mut Snapshot,
    ) -> Result<(), SnapshotFull> {
        with_version!(self, V => write_world::<V>(world, viewer, snapshot))?;
        if self == Self::Tken { write_extended(world, snapshot) } else { Ok(()) }
    }

    /// Inserts the numbers of a player in the form that the player itself receives.
    pub(crate) fn insert_own_player(
        self,
        player: &Player,
        snapshot: &mut Snapshot,
    ) -> Result<(), SnapshotFull> {
        with_version!(self, V => insert_own_player::<V>(player, snapshot))
    }

    /// Returns the positions of both ends of an object of a snapshot, or `None` for an object that all clients see.
    pub(crate) fn ends(self, item: Item<'_>, snapshot: &Snapshot) -> Option<(Point, Point)> {
        with_version!(self, V => ends::<V>(item, snapshot))
    }

    /// Returns the key of the character of a player.
    pub(crate) fn character_key(self, id: ClientId) -> Key {
        let kind = with_version!(self, V => V::CHARACTER);
        Key { kind, id: id.0.into() }
    }

    /// Converts the flags of a player's input to its status.
    #[must_use]
    pub fn player_status(self, flags: i32) -> PlayerStatus {
        with_version!(self, V => V::player_status(flags))
    }

    /// Converts the status of a player to the flags of its input. A status that the version does not have is left out.
    #[must_use]
    pub fn player_flags(self, status: PlayerStatus) -> i32 {
        with_version!(self, V => V::player_flags(status))
    }

    /// Returns the version of the protocol, as a client sends it in [`ClientMessage::Info`].
    #[must_use]
    pub const fn net_version(self) -> &'static str {
        with_version!(self, V => V::NET_VERSION)
    }

    /// Returns the sizes of the snapshot items that are sent without their size.
    #[must_use]
    pub const fn item_sizes(self) -> Sizes {
        with_version!(self, V => V::SIZES)
    }
}

/// Decodes the content of one chunk as the games do: a number out of its range is an error.
fn decode<V: MessageCodec>(content: &[u8], fifth_byte: FifthByte) -> Result<MessageOf<'_, V>> {
    let mut ranges = Ranges::default();
    let message = MessageOf::<V>::decode(Reader::new(content), fifth_byte, &mut ranges)?;
    if !V::skips_range_check(&message) {
        ranges.check(message.name())?;
    }
    Ok(message)
}
