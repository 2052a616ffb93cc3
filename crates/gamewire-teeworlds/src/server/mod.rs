//! A server for clients of every dialect on one port: logs them in, sends the map, runs the game and sends snapshots.

mod accept;
mod commands;
mod config;
mod disconnect;
mod event;
mod game;
mod info;
mod inputs;
mod login;
mod machine;
mod map;
mod messages;
mod peer;
mod peer_state;
mod peers;
mod play;
mod receive;
#[expect(clippy::module_inception, reason = "the struct of the role")]
mod server;
mod settings;
mod snapshots;
#[cfg(test)]
mod tests;
mod ticks;
mod timers;
mod transmit;

pub use config::{ServerConfig, UnprovenInfo};
pub use event::Event;
pub use game::{GameLogic, WalkingGame};
pub use map::Map;
pub use messages::Messages;
pub use peer::SendError;
pub use server::Server;
pub use settings::TuneParams;
pub use snapshots::View;
