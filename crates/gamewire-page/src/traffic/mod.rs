//! The traffic that a page shows: a bounded history of packets, and a table of conversations.

mod conversation;
mod conversations;
mod feeder;
mod file;
mod game_map;
mod history;
mod map;
mod packet;
mod progress;
mod reckoning;
mod samples;
mod selection;
mod snapshot;
mod source;

pub use conversation::{Conversation, DirectionFigures};
pub use feeder::Feeder;
pub use file::{FileError, read_capture};
pub(crate) use game_map::AnnouncedMap;
pub use gamewire_inspect::protocol::Resent;
pub use map::MapView;
pub use packet::{Delivery, StoredPacket};
pub use progress::Progress;
pub(crate) use reckoning::PresentTee;
pub(crate) use samples::{Figures, Sample};
pub use selection::{Only, Selection};
pub(crate) use snapshot::{SnapshotField, SnapshotView};
pub use source::{FoundPackets, Source, SourceKind};
