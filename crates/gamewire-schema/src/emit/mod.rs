//! Output formats of a protocol. Each is a value that implements `Display`, so that it can be written to a file, a test
//! or a build script.

mod advice;
mod compare;
mod json;
mod markdown;
mod notes;
mod rust;

pub use advice::Need;
pub use compare::{Difference, Differences, Rename, compare};
pub use json::Json;
pub use markdown::Markdown;
pub use rust::{Rust, RustFile, UnsupportedField};
