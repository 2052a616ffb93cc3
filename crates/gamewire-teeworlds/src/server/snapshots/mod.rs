//! Snapshots. The world is built once per version and tick, and the difference once per base. Each client gets the
//! parts that it sees (docs/decisions/0020-snapshots-are-built-once-for-all-receivers.md).

mod bits;
mod client;
mod difference;
mod frame;
mod frames;
mod packed;
mod store;
#[cfg(test)]
mod tests;
mod view;
mod write;

pub(super) use client::ClientSnapshots;
pub(super) use store::Snapshots;
pub use view::View;
