//! Teeworlds 0.7. The folder of 0.6 has the same file names.

pub mod connless;
pub mod control;
pub mod game;
mod model_messages;
mod model_world;
pub mod object;
pub mod packet;
pub mod system;
pub mod value;

pub use game::Game;
pub use packet::V07;
pub use system::System;

/// A message of this version.
pub type Message<'a> = crate::shared::message::Message<'a, System<'a>, Game<'a>>;
