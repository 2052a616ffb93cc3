//! Teeworlds 0.6, 0.6.5 and DDNet. [`v07`](crate::v07) has the same modules.

pub mod message;
mod model;
pub mod object;
pub mod value;
pub mod wire;

pub use wire::packet::V06;
