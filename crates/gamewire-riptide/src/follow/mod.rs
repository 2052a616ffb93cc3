//! Follows captured conversations of either format.

mod detect;
mod detector;
mod follower;
mod framing;
mod history;
mod resume;
#[cfg(test)]
mod tests;
mod tracker;
mod websocket;

pub use detect::{Confidence, Guess, detect};
pub use detector::{Detection, Detector};
pub use follower::Follower;
