//! Teeworlds 0.7: its folder holds the same file names as that of the other version.

pub mod message;
pub mod object;
mod session;
pub mod value;
mod version;
pub mod wire;

pub use version::V07;
