//! Stream machines and the bytes between them, in virtual time.

mod hub;
mod pair;
mod pipe;

pub use hub::StreamNetwork;
pub use pair::StreamPair;
pub use pipe::StreamConditions;
