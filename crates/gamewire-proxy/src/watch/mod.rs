//! Decodes and records the traffic of a proxy on a separate thread, so that this does not delay players.

mod batch;
mod feed;
mod openings;
mod recording;
mod watcher;

pub use feed::{Feed, Watched, feed};
pub use recording::{Recording, RecordingConfig, Rotation};
pub use watcher::{Sink, WatchConfig, WatchStats, Watcher};
