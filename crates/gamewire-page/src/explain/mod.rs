//! Explains bytes that were pasted, such as those of a bug report.

mod candidate;
mod digits;

pub(crate) use candidate::datagram;
pub use candidate::{Candidate, Content, Explained, candidates, explain};
pub use digits::{DigitsError, parse_hex};

/// Bytes that can be explained at once.
pub const MAX_BYTES: usize = 64 << 10;
