//! The text form of messages.
//!
//! Without a layout a message is its id and values with their types:
//!
//! ```text
//! 10 int:5 bool:true string:"Hi there" bytes:0aff floats:1,2.5 bits:3:5 hex:0aff
//! ```
//!
//! `hex:` is raw bytes. Types are written as in layouts: `ints` is `int[]`, and `int[3]` has no length prefix. With a
//! layout a message is its name and its fields, in any order:
//!
//! ```text
//! player_move tick=5 position=1,2,3 name="Anna" ids=[] weapon={ammo=7 loaded=true}
//! ```
//!
//! Lists of vectors and structs need brackets: `[(1,2),(3,4)]`, `[{ammo=7},{ammo=8}]`. Quoted text has the escapes
//! `\" \\ \n \r \t \0 \xNN \u{N}`; text without spaces and commas needs no quotes. The output of
//! [`MessageLayouts::print`](super::MessageLayouts::print) can be parsed again.

mod cursor;
mod escape;
mod message;
mod print;
mod value;

pub use super::error::TextError;
