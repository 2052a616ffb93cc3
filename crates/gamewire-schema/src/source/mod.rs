//! The texts of a definition: one file, or all files of a folder.

mod read;
mod sources;

pub use read::{ReadError, constants_file, read_text};
pub(crate) use sources::SourceFile;
pub use sources::{Source, Sources};
