//! Files in which users describe their own messages (docs/protocols/riptide.md, "Naming your
//! messages").

mod error;
mod file;
#[cfg(test)]
mod tests;

pub use error::MessageFileError;
pub use file::parse;
