//! Teeworlds 0.6, 0.6.5 and DDNet. [`v07`](crate::v07) has the same modules.

/// Messages, the content of chunks.
pub mod message {
    pub mod game;
    pub mod system;

    pub use game::Game;
    pub use system::System;

    /// A message of this version.
    pub type Message<'a> = crate::shared::message::Message<'a, System<'a>, Game<'a>>;
}
pub mod object;
mod session;
pub mod value;
mod version;
/// Headers, control messages and browsing messages: one file each.
pub mod wire {
    pub mod connless;
    pub mod control;
    pub mod packet;
}

pub use version::V06;
