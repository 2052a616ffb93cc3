//! Recorded games of Freeciv. The server's side is played by `gamewire_freeciv`'s own server.

mod player;
mod recording;

pub use player::{FreecivReplayPlayer, PlayerEvent};
pub use recording::{FreecivRecording, RecordingError};
