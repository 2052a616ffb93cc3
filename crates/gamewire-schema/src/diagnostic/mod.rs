//! Errors of a definition with their locations.

mod errors;
mod location;
mod render;

pub(crate) use errors::quoted;
pub use errors::{Diagnostic, Errors};
pub use location::SourceLocation;
