//! Replay of recorded games of Teeworlds and DDNet.

mod player;
mod recording;
mod server;
mod viewer;

pub use player::TeeworldsReplayPlayer;
pub use recording::{RecordingError, TeeworldsRecording};
pub use server::TeeworldsReplay;
