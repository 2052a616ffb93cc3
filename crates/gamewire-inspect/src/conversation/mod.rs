//! Conversations: which datagrams belong together, who takes part, who follows them.

mod circumstances;
mod held;
mod inspector;
mod key;
mod queue;
mod sight;
mod sighting;
mod table;
mod talks;

pub use circumstances::{PacketMeta, PacketSource, StreamOffset, StreamPacketInfo};
pub use inspector::Inspector;
pub use sight::{Counter, FrameOutcome};
pub use sighting::PacketInfo;
pub use table::ConversationLimits;
