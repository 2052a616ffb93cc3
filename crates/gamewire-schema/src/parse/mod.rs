//! Text to a syntax tree: what is written where, before anybody asks what it means.

mod block;
mod comments;
mod cursor;
mod field;
mod flag;
mod header;
mod tree;
mod type_name;

pub(crate) use block::parse;
pub(crate) use cursor::Cursor;
pub(crate) use tree::{
    AliasLine, Declarator, Definition, Extent, FieldLine, Flag, PacketBlock, Size, Spanned, TypeName,
};
