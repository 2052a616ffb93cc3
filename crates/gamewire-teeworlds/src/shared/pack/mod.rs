//! Integers, strings and raw data inside messages (facts 2).

mod int;
mod text;

pub use int::{FifthByte, Unpacker, pack_int};
pub use text::{Sanitize, Text};
