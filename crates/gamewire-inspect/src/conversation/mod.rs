//! Conversations: which packets belong together, their roles and their followers.

mod inspector;
mod log;
mod packet;
mod queue;
mod table;

pub use inspector::Inspector;
pub use packet::{Counter, FrameOutcome, PacketInfo, PacketMeta, PacketSource, StreamOffset};
pub use table::ConversationLimits;
