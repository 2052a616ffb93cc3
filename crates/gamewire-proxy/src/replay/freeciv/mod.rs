//! Replay of the client's side of recorded Freeciv games. The server of `gamewire_freeciv` replays the server's side.

mod player;
mod recording;

pub use player::FreecivReplayPlayer;
pub use recording::{FreecivRecording, RecordingError};
