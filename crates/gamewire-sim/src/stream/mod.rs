//! Stream machines and the bytes between them, in virtual time.

mod network;
mod pipe;

pub use network::StreamNetwork;
pub use pipe::StreamConditions;
