//! Riptide 2.0: the byte format. The folder has the same file names as `v21`, so a diff of the two
//! shows how the formats differ.

mod values;
mod version;

pub use version::V20;
