//! The text in which people write messages, and see them.
//!
//! Without a layout a message is its id and values with their types:
//!
//! ```text
//! 10 int:5 bool:true string:"Hi there" bytes:0aff floats:1,2.5 bits:3:5 hex:0aff
//! ```
//!
//! `hex:` stands for bytes as they are; the types are those of layouts, `ints` is `int[]`, and
//! `int[3]` has no number in front. With a layout it is a name and its fields, in any order:
//!
//! ```text
//! player_move tick=5 position=1,2,3 name="Anna" ids=[] weapon={ammo=7 loaded=true}
//! ```
//!
//! Lists of values with parts stand in brackets, `[(1,2),(3,4)]`, `[{ammo=7},{ammo=8}]`. Text in
//! quotes has the escapes `\" \\ \n \r \t \0 \xNN \u{N}`; without spaces and commas it needs no
//! quotes. What [`MessageLayouts::print`](super::MessageLayouts::print) prints can be typed again.

mod cursor;
mod error;
mod escape;
mod message;
mod print;
mod value;

pub use error::TextError;
pub use message::parse_values;
