//! What the original does not have, for two peers that both do: reliable messages in the order of
//! sending, and messages over the limit of a packet.
//!
//! Off unless [`ExtensionConfig`] is given. Then all of it travels inside reliable messages with
//! one id, which the game must not use. Nothing but a first [`ExtensionParams`] of each side is sent until
//! both have heard the other's, so a peer without the extension sees one message with an id that
//! it does not know. `docs/protocols/riptide.md` has the bytes.

mod assembly;
mod config;
mod frame;
mod incoming;
mod outgoing;
mod session;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod word;

pub use config::ExtensionConfig;
pub(crate) use session::{CompleteMessage, ExtensionInbound, ExtensionState, ReliableSender};
pub use word::ExtensionParams;

/// What a message costs towards [`ExtensionConfig::room`], beside its bytes, for each packet that
/// it takes.
pub(crate) const PACKET_COST: usize = 64;
