//! Freeciv's network protocol, without a socket or a clock.
//!
//! * [`frame`] splits a stream of bytes into packets, and writes packets to a stream: plain packets, and chunks of them
//!   compressed by zlib.
//! * [`delta`] decodes and encodes packets by any definition in the form of [`gamewire_schema::ir`], at run time.
//! * [`packets`] has the packets of Freeciv 3.0, 3.1 and 3.2 as types, each wide enough for all versions. It is
//!   generated code, faster than [`delta`]; [`codec`] is its runtime.
//! * [`session`] implements the roles of a client and of a server; [`play`] is a client that keeps the world.
//! * [`follow`] observes a conversation, or one direction of it, and reports its packets.
//! * [`world`] keeps what the packets of a game describe; [`orders`] makes the packets of a player's orders, and
//!   [`number`] names the numbers in packets.
//! * [`opponent`] plays by simple rules.
//! * [`rules`] answers what is legal: what a city can build, what can be researched; [`path`] finds paths of units.
//!
//! With the feature `serde`, packets, ids and the parts of a world can be serialized and deserialized; events and whole
//! worlds can be serialized.
//!
//! Nothing that a peer sends makes it panic, and every length and count is bounded before it is trusted.

#![forbid(unsafe_code)]

// Generated packets name this crate as those of other crates do.
extern crate self as gamewire_freeciv;

pub mod codec;
pub mod delta;
pub mod follow;
pub mod frame;
pub mod number;
pub mod opponent;
pub mod orders;
pub mod packets;
pub mod path;
pub mod play;
pub mod rules;
pub mod session;
pub mod world;
