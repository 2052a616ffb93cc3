//! The passive twin of a connection: it watches a conversation of any dialect from outside.

mod connless;
mod dialect;
mod follower;
mod sequence;
mod snapshots;
mod tokens;

pub use dialect::{Dialect, DialectGuess, detect};
pub use follower::Follower;
