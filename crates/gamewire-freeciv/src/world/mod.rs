//! The world of a game as its packets describe it.

pub mod map;
