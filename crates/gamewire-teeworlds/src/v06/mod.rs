//! Teeworlds 0.6, 0.6.5 and DDNet. [`v07`](crate::v07) has the same modules.

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
pub use packet::V06;
pub use system::System;

/// A message of this version.
pub type Message<'a> = crate::shared::message::Message<'a, System<'a>, Game<'a>>;
