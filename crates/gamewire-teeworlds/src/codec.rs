//! The messages and worlds of a session in the version that a dialect uses.

#[cfg(test)]
mod tests;

use gamewire_wire::{CodecError, Writer};

use crate::Dialect;
use crate::session::{
    ClientId, ClientMessage, ClientMessageCodec as _, EncodeError, Roster, ServerMessage,
    ServerMessageCodec as _, World, WorldCodec as _, decode,
};
use crate::shared::snapshot::{Sizes, Snapshot, SnapshotFull};
use crate::shared::version::Version as _;
use crate::v06::V06;
use crate::v07::V07;

impl Dialect {
    /// Decodes a message of a server from the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`] if the games would drop the message: a field is missing or broken, or a number is out of its
    /// range.
    pub fn decode_server_message(self, content: &[u8]) -> Result<ServerMessage<'_>, CodecError> {
        let fifth_byte = self.fifth_byte();
        match self {
            Self::V07 => {
                decode::<V07>(content, fifth_byte).map(|message| V07::decode_server_message(&message))
            }
            Self::V06 | Self::V065 | Self::Tken => {
                decode::<V06>(content, fifth_byte).map(|message| V06::decode_server_message(&message))
            }
        }
    }

    /// Decodes a message of a client from the content of one chunk.
    ///
    /// # Errors
    /// [`CodecError`] if the games would drop the message: a field is missing or broken, or a number is out of its
    /// range.
    pub fn decode_client_message(self, content: &[u8]) -> Result<ClientMessage<'_>, CodecError> {
        let fifth_byte = self.fifth_byte();
        match self {
            Self::V07 => {
                decode::<V07>(content, fifth_byte).map(|message| V07::decode_client_message(&message))
            }
            Self::V06 | Self::V065 | Self::Tken => {
                decode::<V06>(content, fifth_byte).map(|message| V06::decode_client_message(&message))
            }
        }
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
        match self {
            Self::V07 => V07::encode_server_message(message, to),
            Self::V06 | Self::V065 | Self::Tken => V06::encode_server_message(message, to),
        }
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
        match self {
            Self::V07 => V07::encode_client_message(message, to),
            Self::V06 | Self::V065 | Self::Tken => V06::encode_client_message(message, to),
        }
    }

    /// Replaces `world` by the content of a snapshot of `tick`, with the names and teams of `roster`. Allocates nothing
    /// once `world` has held as much.
    pub fn read_world(self, tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
        match self {
            Self::V07 => V07::read_world(tick, snapshot, roster, world),
            Self::V06 | Self::V065 | Self::Tken => V06::read_world(tick, snapshot, roster, world),
        }
    }

    /// Replaces `snapshot` by `world` as `viewer` sees it. Allocates nothing once `snapshot` has held as much.
    ///
    /// # Errors
    /// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
    pub fn write_world(
        self,
        world: &World,
        viewer: ClientId,
        snapshot: &mut Snapshot,
    ) -> Result<(), SnapshotFull> {
        match self {
            Self::V07 => V07::write_world(world, viewer, snapshot),
            Self::V06 | Self::V065 | Self::Tken => V06::write_world(world, viewer, snapshot),
        }
    }

    /// Returns the version of the protocol, as a client sends it in [`ClientMessage::Info`].
    #[must_use]
    pub const fn net_version(self) -> &'static str {
        match self {
            Self::V07 => V07::NET_VERSION,
            Self::V06 | Self::V065 | Self::Tken => V06::NET_VERSION,
        }
    }

    /// Returns the sizes of those snapshot items whose size is not sent.
    #[must_use]
    pub const fn item_sizes(self) -> Sizes {
        match self {
            Self::V07 => V07::SIZES,
            Self::V06 | Self::V065 | Self::Tken => V06::SIZES,
        }
    }
}
