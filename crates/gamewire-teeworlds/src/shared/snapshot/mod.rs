//! Snapshots: sets of items, the deltas between them, their parts, and a store by tick
//! (docs/protocols/teeworlds.md, "Snapshots").

mod delta;
mod items;
mod parts;
mod receiver;
mod sender;
mod storage;
#[cfg(test)]
mod tests;

pub use delta::{Delta, Sizes, Update};
pub use items::{Item, Key, Snapshot, SnapshotFull};
pub use parts::{Part, Parts};
pub(crate) use receiver::Built;
pub use receiver::{Receiver, SnapshotOutcome, SnapshotStats};
pub use sender::{DeltaScratch, Messages, Sender, SnapRate};
pub use storage::Storage;

/// The most items of a snapshot.
pub const MAX_ITEMS: usize = 1024;
/// The most bytes of a snapshot, counted as the games do: 8 for each item beside its integers.
pub const MAX_BYTES: usize = 64 * 1024;
/// The most parts that a snapshot is sent in.
pub const MAX_PARTS: i32 = 64;
/// The bytes of each part but the last.
pub const PART_BYTES: usize = 900;
/// The largest number of an item type.
pub const MAX_TYPE: u16 = 0x7fff;
/// Types from here on are declared by items of type 0, and always carry their size.
pub const FIRST_EXTENDED_TYPE: u16 = 0x4000;
