//! Follows and records the traffic of a proxy, on a thread of its own, so that no player waits for it.

mod batch;
mod feed;
mod openings;
mod recording;
mod watcher;

pub use feed::{Feed, Watched, feed};
pub use recording::{Recording, RecordingConfig, Rotation};
pub use watcher::{Sink, WatchConfig, WatchStats, Watcher};
