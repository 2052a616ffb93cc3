//! The server's role: takes clients of every dialect on one port, logs them in, hands out the map,
//! takes what they do and shows them the world.

mod config;
mod event;
mod game;
mod info;
mod inputs;
mod login;
mod machine;
mod map;
mod peer;
mod play;
mod room;
mod stage;
#[cfg(test)]
mod tests;
mod ticks;

pub use config::ServerConfig;
pub use event::Event;
pub use game::{GameLogic, WalkingGame};
pub use machine::Server;
pub use map::Map;
