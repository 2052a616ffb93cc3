//! The data model of both roles: messages, worlds and server information, independent of the version.
//!
//! This module does not depend on a version. Each version implements the codecs. The methods of
//! [`Dialect`](crate::Dialect), such as [`decode_server_message`](crate::Dialect::decode_server_message), choose
//! between them.

mod codec;
mod error;
pub mod info;
pub mod message;
mod place;
pub(crate) mod ranges;
mod roster;
mod skin;
mod snapshot;
mod text;
pub mod world;

pub(crate) use codec::{MessageCodec, both_ways, common_messages};
pub use error::EncodeError;
pub use info::{ClientEntry, MapFile, ServerInfo};
pub use message::{Audience, ClientId, ClientMessage, Input, ServerMessage};
pub(crate) use place::{Place, Point, ends};
pub use roster::Roster;
pub use skin::{SKIN_PARTS, Skin, SkinBuf, SkinColors, SkinPart, SkinPartBuf};
pub(crate) use snapshot::{
    MAX_INTS, WorldCodec, WorldReader, common_objects, insert_extended, insert_own_player, read_world,
    write_extended, write_world,
};
pub use text::TextBuf;
pub use world::World;
