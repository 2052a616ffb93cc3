//! Replay of recorded Riptide conversations.

mod player;
mod recording;
mod server;

pub use player::RiptideReplayPlayer;
pub use recording::{RecordingError, RiptideRecording};
pub use server::RiptideReplay;
