#![forbid(unsafe_code)]
//! A proxy between the clients and the server of a game.
//!
//! * What happens to the traffic of one client is a [`Session`], without sockets and without a clock: [`Transparent`]
//!   passes the bytes on as they are, and
//!   `teeworlds::TeeworldsSession`, `riptide::RiptideSession` and `freeciv::FreecivSession` decode every message and
//!   encode it again.
//! * [`relay::Relay`] has the sockets: one towards the server for each client, and one for all clients.
//! * [`replay`] plays recorded conversations to real programs.
//! * [`watch::Watcher`] follows and records what the relay saw, on a thread of its own, so that no player waits for it.

#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod delayed;
#[cfg(feature = "freeciv")]
pub mod freeciv;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
mod hook;
pub mod relay;
pub mod replay;
#[cfg(feature = "riptide")]
pub mod riptide;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub mod rules;
mod session;
#[cfg(feature = "teeworlds")]
pub mod teeworlds;
pub mod traffic;
mod transparent;
pub mod watch;

#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub use hook::{Action, MessageHook, Unchanged};
pub use session::{Session, Side};
pub use transparent::Transparent;
