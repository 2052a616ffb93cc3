//! The checker: resolves the names and sizes of a syntax tree, and returns the checked protocol.

mod aliases;
mod basic_type;
mod compile;
mod constants;
mod context;
mod expression;
mod extents;
mod fields;
mod flags;
mod names;
mod packet;

pub use compile::compile;
pub use constants::{Constants, ConstantsError};
