//! A syntax tree to the intermediate form: what is written is looked up, worked out and checked.

mod aliases;
mod compile;
mod constants;
mod expression;
mod extents;
mod field_flags;
mod fields;
mod missing;
mod names;
mod packet;
mod packet_flags;
mod shape;
mod similar;

pub(crate) use compile::check_parts;
pub use compile::compile;
pub use constants::{Constants, ConstantsError};
