//! One established connection in any dialect: vital chunks, acknowledgements, resends, timers,
//! compression and tokens, byte for byte as the games do it (docs/protocols/teeworlds.md).
//!
//! A [`Link`] begins where a handshake ends and knows nothing of what its messages mean. It
//! writes to an [`Outbox`] and reads with the help of a [`Scratch`]; an owner of many links needs
//! one of each.

mod config;
mod connection;
mod error;
mod outbox;
mod pack;
mod queue;
mod receive;
mod received;
mod round_trip;
mod stats;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod timer;
mod tokens;
mod unacked;
mod unpack;
mod window;

pub use config::{LinkConfig, OverflowPolicy};
pub use connection::Link;
pub use error::{CloseReason, PacketError, SendError};
pub use outbox::Outbox;
pub use received::{Chunks, InboundChunk, LinkInput, Scratch};
pub use stats::LinkStats;
pub use tokens::LinkTokens;
