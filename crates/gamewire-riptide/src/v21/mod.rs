//! Riptide 2.1 to 2.2.1, what came after it so far, and the Python port: the bit format. Its folder holds the
//! same file names as that of the other version.

pub mod message;
mod version;
pub mod wire;

pub use version::V21;
