//! Replay of recorded conversations to real game programs.

mod conversation;
#[cfg(feature = "freeciv")]
pub mod freeciv;
mod playback;
#[cfg(feature = "riptide")]
pub mod riptide;
#[cfg(feature = "teeworlds")]
pub mod teeworlds;

pub use conversation::{LoadError, RecordedConversation, RecordedPacket};
pub use playback::Playback;
