//! Passive decoding of a conversation in any dialect.

mod conversation;
mod detect;
mod follower;
mod resume;
mod snapshots;
#[cfg(test)]
mod tests;

pub use detect::{DialectGuess, detect};
pub use follower::Follower;
