//! The checker: resolves the names and sizes of a syntax tree, and returns the checked protocol.

mod compile;
mod constants;
mod fields;
mod flags;
mod own_types;
mod sizes;
mod types;
mod versions;

pub use compile::compile;
pub use constants::{Constants, ConstantsError};
pub use own_types::OwnType;
