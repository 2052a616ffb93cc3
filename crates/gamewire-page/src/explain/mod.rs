//! Explains pasted bytes, such as bytes from a bug report.

mod candidate;
mod digits;

pub(crate) use candidate::datagram;
pub use candidate::{Candidate, Content, Explained, candidates, explain};
pub use digits::{DigitsError, parse_hex};

/// Maximum number of bytes to explain.
pub const MAX_BYTES: usize = 64 << 10;
