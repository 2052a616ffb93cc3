//! What is wrong with a definition, and where.

mod errors;
mod place;
mod render;
mod single;

pub use errors::Errors;
pub use place::SourceLocation;
pub use single::Diagnostic;
pub(crate) use single::quoted;
