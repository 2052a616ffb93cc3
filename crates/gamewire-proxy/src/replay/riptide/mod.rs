//! Recorded conversations of Riptide.

mod player;
mod recording;
mod server;

pub use player::{PlayerEvent, RiptideReplayPlayer};
pub use recording::{RecordingError, RiptideRecording};
pub use server::{Event, RiptideReplay};
