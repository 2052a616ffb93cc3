//! Files that describe an application's own Riptide messages (docs/protocols/riptide.md, "Naming your
//! messages").

mod parse;
#[cfg(test)]
mod tests;

pub use parse::{MessageFileError, parse};
