//! Integers, strings and raw data inside messages (docs/protocols/teeworlds.md, "Packing").

mod int;
mod text;

pub use int::{FifthByte, Unpacker, pack_int};
pub(crate) use text::cut;
pub use text::{Sanitize, Text};
