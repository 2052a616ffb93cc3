//! Riptide 2.1: the bit format. The folder has the same file names as `v20`, so a diff of the two
//! shows how the formats differ.

mod values;
mod version;

pub use version::V21;
