//! The passive twin of a connection: it watches a conversation of either format from outside.

mod carrier;
mod follower;
mod heartbeats;
mod roles;
mod sequence;
mod suspicion;
#[cfg(test)]
mod tests;
mod watch;

pub use follower::Follower;
pub use suspicion::{Detection, Detector};
