//! What is made of a protocol: each form is a value that writes itself with `Display`, so that it
//! goes into a file, a test or a build script alike.

mod compare;
mod difference;
mod json;
mod markdown;
mod notes;
mod renames;
mod rust;
mod table;

pub use compare::compare;
pub use difference::{Difference, Differences, Rename};
pub use json::Json;
pub use markdown::Markdown;
pub use rust::{Rust, RustFile, UnsupportedField};
