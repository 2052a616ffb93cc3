//! Limits of a definition, which make a hostile file end in an error.

/// Maximum bytes of a definition, over all files.
pub const MAX_BYTES: usize = 16 << 20;
/// Maximum files of a definition.
pub(crate) const MAX_FILES: usize = 1_000;
/// Maximum bytes of a line without its comment.
pub(crate) const MAX_LINE: usize = 16 << 10;
/// Maximum bytes of a name.
pub(crate) const MAX_NAME: usize = 128;
/// Maximum bytes of the documentation of one item.
pub(crate) const MAX_DOC: usize = 4 << 10;
/// Maximum aliases of a definition.
pub(crate) const MAX_ALIASES: usize = 5_000;
/// Maximum packets of a definition.
pub(crate) const MAX_PACKETS: usize = 5_000;
/// Maximum fields of a definition.
pub(crate) const MAX_FIELDS: usize = 20_000;
/// Maximum fields of one packet. Their bitvector of 512 bytes is an eighth of the largest packet.
pub(crate) const MAX_PACKET_FIELDS: usize = 4096;
/// Maximum dimensions of a field.
pub(crate) const MAX_DIMS: usize = 4;
/// Maximum elements of a field, over all dimensions.
pub(crate) const MAX_ELEMENTS: u32 = 1 << 24;
/// Maximum nesting of parentheses in a size.
pub(crate) const MAX_DEPTH: usize = 32;
/// Maximum number of reported errors.
pub(crate) const MAX_ERRORS: usize = 50;
