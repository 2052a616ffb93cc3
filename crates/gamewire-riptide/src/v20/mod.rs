//! Riptide 2.0: the byte format. Its folder holds the
//! same file names as that of the other version.

pub mod message;
mod version;
pub mod wire;

pub use version::V20;
