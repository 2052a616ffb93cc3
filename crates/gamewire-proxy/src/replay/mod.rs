//! Replay of recorded conversations to real game programs.
//!
//! A server's side is played to every client that connects, each from the beginning. A client's side is played by a
//! [`ReplayPlayer`]. The server of `gamewire_freeciv` replays the server's side of Freeciv.

mod conversation;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod event;
#[cfg(feature = "freeciv")]
pub mod freeciv;
mod playback;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod player;
#[cfg(feature = "riptide")]
pub mod riptide;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod steps;
#[cfg(feature = "teeworlds")]
pub mod teeworlds;

pub use conversation::{LoadError, RecordedConversation, RecordedPacket};
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub use event::{PlayerEvent, ViewerEvent, ViewerId};
pub use playback::{Playback, ReplayMachine};
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub use player::{PlayerClient, PlayerInput, ReplayPlayer};
