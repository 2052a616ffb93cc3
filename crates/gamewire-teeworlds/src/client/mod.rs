//! A headless player in all dialects: [`Client`] logs in, downloads the map, plays and leaves.
//!
//! The application sends commands, receives [`Event`]s, and reads the game from [`Client::world`].
//! [`gamewire_machine::pump`] drives the client with bytes and the time.

mod announced;
mod antispoof;
#[expect(clippy::module_inception, reason = "the struct of the role")]
mod client;
mod commands;
mod config;
mod context;
mod download;
mod error;
mod event;
mod input_clock;
mod line_queue;
mod machine;
mod map_info;
mod online;
mod player_tracker;
mod receive;
mod stall;
mod state;
mod stats;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test's own numbers")]
mod tests;

pub use announced::{Announced, Announcement, RconCommandBuf, Records, Vote};
pub use client::Client;
pub use config::{ClientConfig, MapPolicy};
pub use download::MapRefusal;
pub use error::CommandError;
pub use event::Event;
pub use input_clock::TimingStats;
pub use map_info::MapInfo;
pub use stats::ClientStats;
