//! Filters: conditions on the metadata and the fields of a datagram.
//!
//! ```text
//! teeworlds.chat.text contains "hi" && direction == "server"
//! ```
//!
//! A filter is parsed once, with every name and value checked against the [`Catalog`](crate::protocol::Catalog),
//! and then evaluated for each datagram. A field may occur several times in a datagram (two chunks, twenty
//! items): a comparison holds if it holds for any occurrence. `!=` is the exception: it holds if the field
//! exists and no occurrence is equal. A [`Field`] is the left side of a comparison alone, for tables of values.

mod builtin;
mod check;
mod error;
mod evaluate;
mod field;
mod literal;
mod names;
mod operand;
mod parse;
mod path;
#[cfg(test)]
mod tests;
mod token;
mod value_type;

pub use builtin::BUILTIN_FIELDS;
pub use error::FilterError;
pub use evaluate::Filter;
pub use field::Field;
pub use names::suggestion;
