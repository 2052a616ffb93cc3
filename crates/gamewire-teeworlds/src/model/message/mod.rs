//! The messages of an established connection, in a form for all versions.
//!
//! A message that only one version has and that no role acts on is a [`ServerMessage::Other`] or
//! [`ClientMessage::Other`], with its bytes.

mod client;
mod server;
mod types;

pub use client::ClientMessage;
pub use server::ServerMessage;
pub use types::{
    Audience, CapabilityFlags, ClientId, GameInfo, Input, MapChunkInfo, MapChunking, MapId, Profile,
    RaceFinish, RconCommand, ServerSettings,
};
