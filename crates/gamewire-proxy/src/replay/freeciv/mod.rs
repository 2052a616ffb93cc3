//! Replay of recorded Freeciv games to a server. To replay the server's side, use the server of `gamewire_freeciv`.

mod player;
mod recording;

pub use player::{FreecivReplayPlayer, PlayerEvent};
pub use recording::{FreecivRecording, RecordingError};
