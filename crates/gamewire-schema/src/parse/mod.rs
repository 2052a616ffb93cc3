//! The parser, which converts text to a syntax tree with spans. It does not resolve names.

mod cursor;
mod field;
mod parser;
mod tree;

pub(crate) use cursor::Cursor;
pub(crate) use parser::{parse, without_comments};
pub(crate) use tree::{
    AliasLine, Declarator, Definition, Extent, FieldLine, Flag, PacketBlock, Size, Spanned, TypeName,
};
