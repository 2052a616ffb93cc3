//! The parser: text to a syntax tree with spans. It does not resolve any name.

mod block;
mod comments;
mod cursor;
mod field;
mod tree;

pub(crate) use block::parse;
pub(crate) use cursor::Cursor;
pub(crate) use tree::{
    AliasLine, Declarator, Definition, Extent, FieldLine, Flag, PacketBlock, Size, Spanned, TypeName,
};
