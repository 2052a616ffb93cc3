//! Follows captured conversations of either format.

mod detect;
mod detector;
mod follower;
mod framing;
mod heartbeats;
mod roles;
mod sequence;
#[cfg(test)]
mod tests;
mod tracker;

pub use detect::{Confidence, Guess, detect};
pub use detector::{Detection, Detector};
pub use follower::Follower;
