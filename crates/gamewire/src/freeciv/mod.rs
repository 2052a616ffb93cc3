//! Freeciv, with sockets and a clock.
//!
//! * [`Player`] joins a server and plays in a frame loop, or step by step: it keeps the [`world`], sends [`orders`] and
//!   returns the server's replies to them. `tokio` (feature `tokio`) has a player for programs that await.
//! * [`packets`] has the packets of Freeciv 3.0, 3.1 and 3.2, and [`number`] names the numbers in them.
//! * [`rules`] determines legal actions, such as the possible productions of a city; [`path`] finds paths of units.
//! * [`play`] and [`session`] have the roles without I/O, their configuration, commands and events.
//! * `agent` (feature `agent`) is a player that a program controls by commands, as `gamewire play` does.
//! * `LocalServer` starts a freeciv-server on this machine, for programs that play many games. `Challenge` proves to a
//!   server on this machine that a client may have all rights.
//! * [`raw`] is for authors of tools: streams, packets by any definition, and captured conversations.
//!
//! ```no_run
//! use gamewire::freeciv::{Player, orders};
//! use std::time::Duration;
//!
//! let mut player = Player::join("127.0.0.1:5556", "bot")?;
//! player.perform(&orders::start_game()?)?;
//! player.wait_until(Duration::from_secs(30), |world| world.turn_started() > 0)?;
//! let settlers = player.world().my_units_of("Settlers").next().map(|unit| unit.id());
//! if let Some(settlers) = settlers {
//!     let order = orders::found_city(player.world(), settlers, "Gamewire")?;
//!     let answer = player.perform(&order)?;
//!     println!("{:?}", answer.outcome);
//! }
//! player.next_turn(Duration::from_secs(60))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "net")]
mod challenge;
mod environment;
#[cfg(feature = "net")]
mod error;
#[cfg(feature = "net")]
mod frame_loop;
#[cfg(feature = "net")]
mod local_server;
#[cfg(feature = "net")]
mod player;
#[cfg(feature = "tokio")]
pub mod tokio;

#[cfg(feature = "agent")]
pub use gamewire_freeciv::agent;
pub use gamewire_freeciv::frame::CompressionLevel;
pub use gamewire_freeciv::play::{Event, OrderId, OrderOutcome, OrderReply};
pub use gamewire_freeciv::session::client::ClientConfig;
pub use gamewire_freeciv::{legal, number, opponent, orders, packets, path, play, rules, session, world};

#[cfg(feature = "net")]
pub use challenge::{Challenge, ChallengeError};
pub use environment::compression_level;
#[cfg(feature = "net")]
pub use error::PlayError;
#[cfg(feature = "net")]
pub use frame_loop::Player;
#[cfg(feature = "net")]
pub use local_server::{LocalServer, LocalServerConfig, LocalServerError};

/// Streams, packets by any definition, and captured conversations, for authors of tools.
pub mod raw {
    pub use gamewire_freeciv::{codec, delta, follow, frame};
}
