//! Teeworlds 0.6, 0.6.5 and DDNet. The folder of 0.7 has the same file names.

pub mod message;
pub mod object;
mod session;
pub mod value;
mod version;
pub mod wire;

pub use version::V06;
