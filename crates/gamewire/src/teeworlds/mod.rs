//! Teeworlds and DDNet, with sockets and a clock.
//!
//! * [`Player`] joins a server and plays in a frame loop, and [`Server`] hosts a game for players of every [`Dialect`].
//!   `tokio` (feature `tokio`) has both for programs that await.
//! * [`client`] and [`server`] have the roles without I/O, their configuration, commands and events; [`model`] the
//!   messages and worlds of both; [`browse`] queries servers.
//! * [`prediction`] advances the world of a client to the present, with the movement in [`tee`]. `PlayerOptions::map_cache`
//!   (feature `map`) loads the maps for it.
//! * [`Follower`] decodes captured conversations.
//! * [`raw`] is for authors of tools: packets, messages and snapshots on the wire, and their [`definitions`] as data.
//!
//! ```no_run
//! use gamewire::teeworlds::{Player, client::Event};
//! use std::time::Duration;
//!
//! let mut player = Player::join("127.0.0.1:8303", "bot")?;
//! loop {
//!     player.update()?;
//!     while let Some(event) = player.poll_event() {
//!         if let Event::Chat { text, .. } = event {
//!             println!("{text}");
//!         }
//!     }
//!     player.wait(Duration::from_millis(20))?;
//! }
//! # #[allow(unreachable_code)]
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "net")]
mod detection;
#[cfg(feature = "net")]
mod error;
#[cfg(feature = "net")]
mod frame_loop;
#[cfg(feature = "net")]
mod game_server;
#[cfg(feature = "net")]
mod info;
#[cfg(all(feature = "map", feature = "net"))]
mod map_loader;
#[cfg(feature = "net")]
mod options;
#[cfg(feature = "net")]
mod player;
#[cfg(feature = "tokio")]
pub mod tokio;

pub use gamewire_teeworlds::{
    AcceptorConfig, CloseReason, Dialect, Follower, LinkConfig, Offer, Sha256, Text, TokenlessPolicy, Uuid,
    browse, client, definitions, model, prediction, raw, server, tee, value,
};

#[cfg(feature = "net")]
pub use error::PlayError;
#[cfg(feature = "net")]
pub use frame_loop::{Player, Server};
#[cfg(feature = "net")]
pub use info::{ServerAnswer, query_info};
#[cfg(feature = "net")]
pub use options::PlayerOptions;
