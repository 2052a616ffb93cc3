//! Output forms of datagrams: a line, a tree, a hex dump, JSON.
//!
//! All data from a peer is escaped in every form: it cannot move the cursor, change colors or reorder
//! other text.

mod escape;
mod hex;
mod json;
mod json_value;
mod line;
mod palette;
mod text;
mod totals;
mod tree;
mod value;

pub use escape::{Escaped, is_hidden, write_json};
pub use hex::hex;
#[cfg(feature = "parquet")]
pub(crate) use json::JsonNode;
pub use json::{Fields, PacketObject, RecordObject, json};
pub use line::{line, messages, summary};
pub use palette::Palette;
pub use totals::{stream_totals, totals};
pub use tree::tree;
pub(crate) use value::set_flags;
pub use value::{DisplayValue, Hyphenated};

#[cfg(test)]
pub(crate) mod tests;
