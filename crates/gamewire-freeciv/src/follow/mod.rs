//! The passive twin of a connection: it watches a conversation from outside, or one direction of it
//! in a file.
//!
//! Freeciv can only be followed from its first byte: what is sent later builds on it.

mod definition;
mod desync;
mod follower;
mod half;
mod handshake;
mod limits;
mod names;
mod outcome;
mod packet;
mod recognise;
mod run;
mod stream;
mod talk;
pub mod warning;

pub use definition::{Definition, Definitions};
pub use follower::Follower;
pub use limits::FollowLimits;
pub use names::{label, part_names};
pub use recognise::{Detection, Detector};
pub use stream::{StreamFollower, StreamPacket, sender};
