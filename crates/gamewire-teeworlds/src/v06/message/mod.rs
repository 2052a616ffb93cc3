//! Messages, the content of chunks.

pub mod game;
pub mod system;

pub use game::Game;
pub use system::System;

/// A message of this version.
pub type Message<'a> = crate::shared::message::Message<'a, System<'a>, Game<'a>>;
