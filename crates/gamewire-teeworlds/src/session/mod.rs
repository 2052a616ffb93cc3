//! The messages and the world of a session, the same for all versions and both roles.
//!
//! Nothing here depends on a version. `v06/session/` and `v07/session/` implement the codecs, and the
//! methods of [`Dialect`](crate::Dialect), such as
//! [`decode_server_message`](crate::Dialect::decode_server_message), choose between them.

mod codec;
mod error;
pub(crate) mod extended;
pub mod info;
pub mod message;
pub(crate) mod objects;
pub(crate) mod ranges;
pub(crate) mod roster;
pub mod world;

pub(crate) use codec::decode;
pub use codec::{ClientMessageCodec, ServerMessageCodec, WorldCodec};
pub use error::EncodeError;
pub use info::{ClientEntry, MapFile, ServerInfo};
pub use message::{Audience, ClientId, ClientMessage, Input, ServerMessage};
pub use roster::Roster;
pub use world::World;
