//! What both roles know of a session: its messages and its world, whatever the version.
//!
//! [`decode_from_server`] and its like are chosen by dialect at run time; what they do for a
//! version stands in `v06/session/` and `v07/session/`, behind the trait [`SessionCodec`].

mod dispatch;
mod error;
pub(crate) mod extended;
pub mod info;
pub mod message;
pub(crate) mod objects;
mod ranges;
pub(crate) mod roster;
#[cfg(test)]
mod tests;
mod words;
pub mod world;

pub use dispatch::{
    decode_from_client, decode_from_server, encode_from_client, encode_from_server, net_version, read_world,
    sizes, write_world,
};
pub use error::EncodeError;
pub use info::{ClientEntry, MapFile, ServerInfo};
pub use message::{Audience, ClientId, ClientMessage, Input, ServerMessage};
pub use roster::Roster;
pub use words::SessionCodec;
pub use world::World;
