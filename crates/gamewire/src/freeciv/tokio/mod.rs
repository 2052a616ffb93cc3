//! A player for programs on tokio.

mod player;

pub use player::Player;
