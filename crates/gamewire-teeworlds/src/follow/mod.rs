//! The passive twin of a connection: it watches a conversation of any dialect from outside.

mod conversation;
mod dialect;
mod follower;
mod snapshots;

pub use dialect::{DialectGuess, detect};
pub use follower::Follower;
