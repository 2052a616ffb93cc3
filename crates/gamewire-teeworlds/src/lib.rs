//! Teeworlds 0.6, 0.6.5, 0.7 and DDNet on the wire.
//!
//! * [`v06`] and [`v07`] hold one version each, in files of the same names: headers, control and
//!   browsing messages in `wire`, the messages of chunks in `message`, snapshot objects in
//!   `object`.
//! * [`shared`] holds what is the same: Huffman coding, packing, snapshots and their deltas,
//!   DDNet's additions, and the macros by which a message is written down once.
//! * [`browse`] asks servers what they are, and answers for them.
//! * [`client`] is a player without a screen.
//! * [`server`] takes players of every dialect on one port.
//! * [`Follower`] watches a conversation of any dialect from outside.
//! * [`link`] is one connection, [`handshake`] how it comes to be: the ground of both roles.
//!
//! Nothing here has a socket, a clock or a source of randomness, and nothing that a peer sends
//! makes it panic or grow without bound.

pub mod browse;
mod catalog;
pub mod client;
mod codec;
mod dialect;
pub mod follow;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, clippy::cast_possible_wrap, reason = "a test's own numbers")]
mod golden;
pub mod handshake;
pub mod link;
pub mod server;
pub mod session;
pub mod shared;
pub mod v06;
pub mod v07;

pub use catalog::definitions;
pub use client::Client;
pub use dialect::Dialect;
pub use follow::Follower;
