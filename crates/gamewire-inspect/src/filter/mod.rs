//! Filters: a condition over a datagram's circumstances and over the fields of what it says.
//!
//! ```text
//! teeworlds.chat.text contains "hi" && direction == "server"
//! ```
//!
//! A filter is parsed once, with every name checked against the [`Catalog`](crate::protocol::Catalog),
//! and then asked about each datagram. A field may occur several times in a datagram (two chunks, twenty
//! items): a comparison holds when it holds for any of them. `!=` is the exception that saves surprises:
//! it holds when the field is there and none of its values is equal.

mod error;
mod evaluate;
mod expression;
mod literal;
mod names;
mod parse;
mod path;
#[cfg(test)]
mod tests;
mod token;

pub use error::FilterError;
pub use expression::Filter;
pub use names::FACTS;
