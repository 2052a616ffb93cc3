//! Freeciv's network protocol, without a socket or a clock.
//!
//! * [`frame`] splits a stream of bytes into packets and writes packets to a stream: plain packets, and packets that
//!   are compressed together with zlib.
//! * [`delta`] decodes and encodes packets at run time, by any definition in the form of [`gamewire_schema::ir`].
//! * [`packets`] has a struct for each packet of Freeciv 3.0, 3.1 and 3.2. Each struct can hold the packet of every
//!   version. The code is generated and faster than [`delta`]; [`codec`] is its runtime.
//! * [`session`] implements the roles of a client and of a server; [`play`] is a client that keeps the world.
//! * [`follow`] observes a conversation, or one direction of it, and reports its packets.
//! * [`world`] stores the state of the game that packets describe; [`orders`] builds the packets of a player's orders,
//!   and [`number`] names the numbers in packets.
//! * [`rules`] computes what the ruleset permits, such as the possible productions of a city; [`path`] computes how units
//!   move. Both only read the world.
//! * [`legal`] lists the legal actions of the own player: of its units and cities, and its own.
//! * [`opponent`] is a simple player that decides by [`rules`] and [`path`].
//! * `agent` (feature `agent`) is a player that a program controls by commands, with one reply to each.
//!
//! With the feature `serde`, packets, ids and the parts of a world can be serialized and deserialized; events and whole
//! worlds can be serialized.
//!
//! No input from a peer causes a panic, and every length and count is checked against a limit before it is used.

#![forbid(unsafe_code)]

// Generated packets refer to this crate by its name, as generated packets in other crates do.
extern crate self as gamewire_freeciv;

#[cfg(feature = "agent")]
pub mod agent;
pub mod codec;
pub mod delta;
pub mod follow;
pub mod frame;
pub mod legal;
pub mod number;
pub mod opponent;
pub mod orders;
pub mod packets;
pub mod path;
pub mod play;
pub mod rules;
pub mod session;
pub mod world;
