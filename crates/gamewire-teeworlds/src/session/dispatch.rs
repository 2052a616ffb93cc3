use gamewire_wire::{CodecError, Writer};

use super::error::EncodeError;
use super::message::{ClientId, ClientMessage, ServerMessage};
use super::roster::Roster;
use super::words::{SessionCodec, check, read};
use super::world::World;
use crate::follow::Dialect;
use crate::shared::snapshot::{Sizes, Snapshot, SnapshotFull};
use crate::shared::version::Version;
use crate::v06::V06;
use crate::v07::V07;

/// Reads the content of one chunk from a server.
///
/// # Errors
/// When the games would drop it: fields are missing or broken, or a number is out of its range.
pub fn decode_from_server(dialect: Dialect, content: &[u8]) -> Result<ServerMessage<'_>, CodecError> {
    let fifth_byte = dialect.fifth_byte();
    match dialect {
        Dialect::V07 => read::<V07>(content, fifth_byte).map(|message| V07::from_server(&message)),
        Dialect::V06 | Dialect::V065 | Dialect::Tken => {
            read::<V06>(content, fifth_byte).map(|message| V06::from_server(&message))
        }
    }
}

/// Reads the content of one chunk from a client.
///
/// # Errors
/// When the games would drop it: fields are missing or broken, or a number is out of its range.
pub fn decode_from_client(dialect: Dialect, content: &[u8]) -> Result<ClientMessage<'_>, CodecError> {
    let fifth_byte = dialect.fifth_byte();
    match dialect {
        Dialect::V07 => read::<V07>(content, fifth_byte).map(|message| V07::from_client(&message)),
        Dialect::V06 | Dialect::V065 | Dialect::Tken => {
            read::<V06>(content, fifth_byte).map(|message| V06::from_client(&message))
        }
    }
}

/// Writes what a server says, as the content of one chunk.
///
/// # Errors
/// When the dialect cannot say it, when the client would drop it, or when there is no room; what
/// was written by then is of no use.
pub fn encode_from_server(
    dialect: Dialect,
    word: &ServerMessage<'_>,
    to: &mut Writer<'_>,
) -> Result<(), EncodeError> {
    let (start, fifth_byte) = (to.len(), dialect.fifth_byte());
    match dialect {
        Dialect::V07 => {
            V07::write_from_server(word, to)?;
            check::<V07>(start, to, fifth_byte)
        }
        Dialect::V06 | Dialect::V065 | Dialect::Tken => {
            V06::write_from_server(word, to)?;
            check::<V06>(start, to, fifth_byte)
        }
    }
}

/// Writes what a client says, as the content of one chunk.
///
/// # Errors
/// When the dialect cannot say it, when the server would drop it, or when there is no room; what
/// was written by then is of no use.
pub fn encode_from_client(
    dialect: Dialect,
    word: &ClientMessage<'_>,
    to: &mut Writer<'_>,
) -> Result<(), EncodeError> {
    let (start, fifth_byte) = (to.len(), dialect.fifth_byte());
    match dialect {
        Dialect::V07 => {
            V07::write_from_client(word, to)?;
            check::<V07>(start, to, fifth_byte)
        }
        Dialect::V06 | Dialect::V065 | Dialect::Tken => {
            V06::write_from_client(word, to)?;
            check::<V06>(start, to, fifth_byte)
        }
    }
}

/// Makes `world` what a snapshot of `tick` shows, with what was said beside it in `roster`.
/// Allocates nothing once `world` has held as much.
pub fn read_world(dialect: Dialect, tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
    match dialect {
        Dialect::V07 => V07::read_world(tick, snapshot, roster, world),
        Dialect::V06 | Dialect::V065 | Dialect::Tken => V06::read_world(tick, snapshot, roster, world),
    }
}

/// Makes `snapshot` what `viewer` is shown of `world`. Allocates nothing once `snapshot` has held
/// as much.
///
/// # Errors
/// When it is more than a snapshot can hold; what fitted is in it.
pub fn write_world(
    dialect: Dialect,
    world: &World,
    viewer: ClientId,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    match dialect {
        Dialect::V07 => V07::write_world(world, viewer, snapshot),
        Dialect::V06 | Dialect::V065 | Dialect::Tken => V06::write_world(world, viewer, snapshot),
    }
}

/// The version of the protocol, as a client of this dialect names it in [`ClientMessage::Info`].
#[must_use]
pub const fn net_version(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::V07 => V07::NET_VERSION,
        Dialect::V06 | Dialect::V065 | Dialect::Tken => V06::NET_VERSION,
    }
}

/// The sizes of snapshot items in this dialect, as far as they are not sent.
#[must_use]
pub const fn sizes(dialect: Dialect) -> Sizes {
    match dialect {
        Dialect::V07 => V07::SIZES,
        Dialect::V06 | Dialect::V065 | Dialect::Tken => V06::SIZES,
    }
}
