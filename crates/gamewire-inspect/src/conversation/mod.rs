//! Conversations: which packets belong together, their roles and their followers.

mod inspector;
mod log;
mod packet;
mod queue;
mod split;
mod table;

pub use inspector::Inspector;
pub use packet::{Counter, FrameOutcome, PacketInfo, PacketMeta, PacketSource, Share, StreamOffset};
pub use split::PacketSplitter;
pub use table::ConversationLimits;
