//! A player without a screen, in all dialects: [`Client`] logs in, downloads the map, plays and
//! leaves.
//!
//! It asks for nothing but bytes and the time: [`gamewire_machine::pump`] turns it. What happens is
//! told as [`Event`]s, what it is to do are commands, and what the game looks like is to be had at
//! any time: [`Client::world`].

mod attendance;
mod commands;
mod config;
mod context;
mod download;
mod error;
mod event;
mod game;
mod hearing;
mod machine;
mod needed_map;
mod puzzle;
mod queue;
mod stage;
mod state;
mod stats;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]
mod tests;
mod text;
mod timing;
mod views;

pub use config::{ClientConfig, MapPolicy};
pub use download::MapRefusal;
pub use error::CommandError;
pub use event::Event;
pub use machine::Client;
pub use needed_map::MapInfo;
pub use stats::ClientStats;
pub use text::TextBuf;
pub use timing::TimingStats;
