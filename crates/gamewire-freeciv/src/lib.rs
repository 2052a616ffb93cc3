//! Freeciv's protocol on the wire, without a socket or a clock.
//!
//! * [`frame`] takes a stream of bytes apart into packets, and puts packets together to a stream:
//!   plain packets, and chunks of them that went through zlib.
//! * [`delta`] reads and writes what is in the packets, by any definition in the form of
//!   [`gamewire_schema::ir`].
//! * [`v30`] has the packets of Freeciv 3.0 as types.
//! * [`session`] plays the roles of a client and of a server.
//! * [`follow`] watches a conversation, or one direction of it, and tells what it says.
//! * [`codec`] is what code generated from a definition stands on, and [`v30`] is such code: the same for
//!   Freeciv 3.0, quicker and with a struct for each packet.
//! * [`world`] keeps what the packets of a game describe; [`orders`] are what a player can do in it,
//!   and [`number`] is what the numbers in packets mean.
//!
//! Nothing that a peer sends makes it panic, and every length and count is bounded before it is
//! trusted.

#![forbid(unsafe_code)]

pub mod codec;
pub mod delta;
pub mod follow;
pub mod frame;
pub mod number;
pub mod orders;
pub mod play;
pub mod session;
pub mod v30;
pub mod world;
