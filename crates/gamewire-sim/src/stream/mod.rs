//! Two stream machines and the bytes between them, in virtual time.

mod pair;
mod pipe;

pub use pair::StreamPair;
pub use pipe::StreamConditions;
