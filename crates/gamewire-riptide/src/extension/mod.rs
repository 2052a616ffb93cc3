//! An extension that the C# library does not have: reliable messages in the order of sending, and messages that are too long
//! for a packet.
//!
//! It is off unless [`ExtensionConfig`] is given. All its packets are reliable messages with one id, which the game must not
//! use. Until both sides have received the other's [`ExtensionParams`], each side sends only its own, so that a peer without
//! the extension receives one message with an unknown id. `docs/protocols/riptide.md` has the bytes.

mod frame;
mod outgoing;
mod params;
mod reassembly;
mod state;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub use params::{ExtensionConfig, ExtensionParams};
pub(crate) use state::{CompleteMessage, ExtensionInbound, ExtensionState, ReliableSender};

/// Cost of each packet in [`ExtensionConfig::reassembly_buffer`], in addition to its bytes.
pub(crate) const PACKET_COST: usize = 64;
