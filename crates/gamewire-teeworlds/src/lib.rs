//! Teeworlds 0.6, 0.6.5, 0.7 and DDNet: client, server, server browser and follower.
//!
//! * [`client`] joins a server: handshake, map download, login, snapshots, inputs, chat.
//! * [`server`] accepts players of every dialect on one port.
//! * [`browse`] queries server information, and replies to queries.
//! * [`model`] has the messages and the world that client and server share in all dialects.
//! * [`prediction`] advances the world of snapshots to the present, with the movement of the crate [`tee`].
//! * [`Follower`] decodes a conversation of any dialect without taking part in it.
//! * [`raw`] has the wire formats, for tools.
//!
//! The feature `serde` implements `Serialize` for events, ids, messages, objects, worlds and counters, and
//! `Deserialize` for types that own their data.
//!
//! The crate has no sockets, no clock and no source of randomness. Nothing that a peer sends causes a panic or
//! unbounded memory use.

pub mod browse;
mod catalog;
pub mod client;
mod codec;
mod dialect;
mod follow;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_wrap, reason = "a test's own numbers")]
mod golden_tests;
mod handshake;
mod link;
pub mod model;
pub mod prediction;
pub mod raw;
#[cfg(feature = "serde")]
mod serialize;
pub mod server;
mod shared;
mod v06;
mod v07;

pub use catalog::definitions;
pub use catalog::{
    ExtendedCatalog, ExtendedMessageEntry, ExtendedObjectEntry, MessageEntry, ObjectEntry, VersionCatalog,
    extended, huffman_codes, versions, warnings,
};
pub use client::Client;
pub use codec::{MessageBuf, WireMessage};
pub use dialect::Dialect;
pub use follow::Follower;
#[doc(inline)]
pub use gamewire_tee as tee;
pub use handshake::{AcceptorConfig, Offer, TokenlessPolicy};
pub use link::{CloseReason, LinkConfig};
pub use shared::data::{Sha256, Uuid};
pub use shared::pack::Text;
pub use shared::value;
