//! Teeworlds 0.7. The folder of 0.6 has the same file names.

pub mod message;
mod model;
pub mod object;
pub mod value;
pub mod wire;

pub use wire::packet::V07;
