//! A small protocol that uses all parts of the contract, with known mistakes.
//!
//! A visitor knocks (1) and receives a token (2). With the token it enters (3), talks (4 and a byte) and leaves (5).
//! The door keeps the visitors inside awake (6).

mod door;
mod visitor;

pub(crate) use door::{Door, Event, Flaw};
pub(crate) use visitor::Visitor;

use std::net::SocketAddr;

pub(crate) const KNOCK: u8 = 1;
pub(crate) const TOKEN: u8 = 2;
pub(crate) const ENTER: u8 = 3;
pub(crate) const TALK: u8 = 4;
pub(crate) const LEAVE: u8 = 5;
pub(crate) const AWAKE: u8 = 6;

/// Returns the token of an address, so that the door stores nothing for visitors that only knock.
pub(crate) fn token(seed: u64, address: SocketAddr) -> u8 {
    address.to_string().bytes().fold(seed.to_le_bytes()[0], |sum, byte| sum.rotate_left(3) ^ byte)
}
