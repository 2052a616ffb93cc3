//! Snapshots: sets of items, deltas between them, their parts, and a store by tick
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
pub(crate) use delta::{count, write_update};
pub(crate) use items::declared_uuid;
pub use items::{Item, Key, Snapshot, SnapshotFull};
pub use parts::Parts;
pub(crate) use receiver::Built;
pub use receiver::{Receiver, SnapshotOutcome, SnapshotStats};
pub(crate) use sender::{AckState, MAX_AGE_TICKS, MAX_PACKED};
pub use sender::{DeltaScratch, Messages, Sender, SnapRate};
pub use storage::Storage;

/// Maximum items of a snapshot.
pub const MAX_ITEMS: usize = 1024;
/// Maximum bytes of a snapshot, counted as in the games: 8 for each item plus its integers.
pub const MAX_BYTES: usize = 64 * 1024;
/// Maximum parts of a snapshot.
pub const MAX_PARTS: i32 = 64;
/// Bytes of each part except the last.
pub const PART_BYTES: usize = 900;
/// Maximum number of an item type.
pub const MAX_TYPE: u16 = 0x7fff;
/// First of the types that an item of type 0 must declare. Items of these types are always sent with their size.
pub const FIRST_EXTENDED_TYPE: u16 = 0x4000;
