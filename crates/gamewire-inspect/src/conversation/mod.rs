//! Conversations: which packets belong together, their roles and their followers.

mod inspector;
mod log;
mod packet;
mod queue;
mod split;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod state_tests;
mod table;

pub use inspector::Inspector;
pub use packet::{
    Counter, FrameOutcome, PacketInfo, PacketMeta, PacketSource, Share, SocketPayload, StreamOffset,
};
pub use split::PacketSplitter;
pub use table::ConversationLimits;
