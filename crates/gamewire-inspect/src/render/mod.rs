//! Datagrams for people and for programs: a line, a tree, a hex dump, JSON.
//!
//! Whatever a peer sent is escaped on its way out, in every form: no name, chat line or reason can
//! move the cursor, recolour the screen or reorder the text around it.

mod escape;
mod hex;
mod json;
mod json_value;
mod line;
mod palette;
mod totals;
mod tree;
mod value;

pub use escape::{Escaped, is_hidden, write_json};
pub use hex::hex;
pub use json::{Fields, json};
pub use line::line;
pub use palette::Palette;
pub use totals::{stream_totals, totals};
pub use tree::tree;
pub(crate) use value::set_flags;
pub use value::{DisplayValue, Hyphenated};

#[cfg(test)]
mod tests;
