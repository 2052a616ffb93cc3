//! Stream machines and the bytes between them, in virtual time.

mod hub;
mod pair;
mod pipe;

pub use hub::StreamHub;
pub use pair::StreamPair;
pub use pipe::StreamConditions;
