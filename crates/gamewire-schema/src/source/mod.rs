//! The texts of a definition: one file, or all of a folder.

mod part;
mod read;
mod sources;

pub(crate) use part::SourceFile;
pub use read::{ReadError, constants_file, read_text};
pub use sources::{Source, Sources};
