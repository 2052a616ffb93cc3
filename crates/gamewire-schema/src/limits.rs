//! How much of everything a definition may have, so that a hostile file ends in an error.

/// The longest definition, in bytes; all files together.
pub const MAX_BYTES: usize = 16 << 20;
/// The most files of a definition.
pub(crate) const MAX_FILES: usize = 1_000;
/// The longest line, in bytes, without its comment.
pub(crate) const MAX_LINE: usize = 16 << 10;
/// The longest name, in bytes.
pub(crate) const MAX_NAME: usize = 128;
/// The most documentation of one thing, in bytes.
pub(crate) const MAX_DOC: usize = 4 << 10;
/// The most aliases of a definition.
pub(crate) const MAX_ALIASES: usize = 5_000;
/// The most packets of a definition.
pub(crate) const MAX_PACKETS: usize = 5_000;
/// The most fields of a definition.
pub(crate) const MAX_FIELDS: usize = 20_000;
/// The most fields of one packet: a bitvector of 512 bytes, an eighth of the largest packet.
pub(crate) const MAX_PACKET_FIELDS: usize = 4096;
/// The most dimensions of a field.
pub(crate) const MAX_DIMS: usize = 4;
/// The most elements of a field, all dimensions together.
pub(crate) const MAX_ELEMENTS: u32 = 1 << 24;
/// The deepest parentheses in a size.
pub(crate) const MAX_DEPTH: usize = 32;
/// How many errors of a definition are told.
pub(crate) const MAX_ERRORS: usize = 50;
