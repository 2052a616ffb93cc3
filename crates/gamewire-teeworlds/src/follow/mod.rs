//! Decoding of a conversation of any dialect that passes by, without taking part in it.

mod conversation;
mod detect;
mod follower;
mod snapshots;
#[cfg(test)]
mod tests;

pub use detect::{DialectGuess, detect};
pub use follower::Follower;
