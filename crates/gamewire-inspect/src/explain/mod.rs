//! Explains pasted bytes, such as bytes from a bug report.

mod candidate;
mod digits;
mod dump;
mod frame;
mod literal;
mod numbers;

pub use candidate::{Candidate, Content, Explained, Explanations, candidates, datagram, explain};
pub use digits::{DigitsError, parse_hex};
pub use frame::payload_of_frame;

/// Maximum number of bytes to explain.
pub const MAX_BYTES: usize = 64 << 10;
