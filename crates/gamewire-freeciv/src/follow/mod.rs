//! The passive observer of a conversation, or of a file with one direction of it.
//!
//! Freeciv can only be followed from the first byte, because later packets depend on earlier ones.

mod definition;
mod desync;
mod detect;
mod direction;
mod follower;
mod packet;
mod resume;
mod run;
mod shared_state;
mod stream;
pub mod warning;

pub use definition::{Definition, Definitions};
pub use detect::{Detection, Detector};
pub use direction::{DirectionStats, FollowLimits};
pub use follower::Follower;
pub use stream::{StreamFollower, StreamPacket, sender};

pub use crate::delta::{label, parts};
