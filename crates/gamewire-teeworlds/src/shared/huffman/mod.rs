//! Huffman coding of packet payloads, with one fixed code for all dialects (docs/protocols/teeworlds.md,
//! "Compression").

mod compress;
mod decompress;
mod table;

pub use compress::{TrailingByte, compress, compress_if_smaller};
pub use decompress::decompress;

pub(crate) use table::codes_by_symbol;
