//! One established connection in any dialect: vital chunks, acknowledgements, resends, timers, compression and tokens,
//! with the bytes that the games send (docs/protocols/teeworlds.md).
//!
//! A [`Link`] begins after the handshake and does not interpret its messages. It stores its time and its unsent
//! datagrams. All links of a machine share one [`Scratch`] for received packets.

mod codec;
mod config;
mod connection;
mod error;
mod passive;
mod queue;
mod receive;
mod repeated;
mod round_trip;
mod stats;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod timers;
mod unacked;

pub use codec::LinkTokens;
pub(crate) use codec::{ReceiveWindow, SeqCheck, pack};
pub use config::{LinkConfig, OverflowPolicy};
pub(crate) use connection::LinkProgress;
pub use connection::{Link, Outbox};
pub use error::{CloseReason, PacketError, SendError};
pub use passive::PassiveReceiver;
pub use receive::{Chunks, InboundChunk, LinkInput, Scratch};
pub use stats::LinkStats;
