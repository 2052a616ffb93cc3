#![forbid(unsafe_code)]
//! A proxy between the clients and the server of a game.
//!
//! * What happens to the traffic of one client is a [`Session`], without sockets and without a clock: [`Transparent`]
//!   passes the bytes on as they are, and `riptide::RiptideSession` decodes every message and encodes it again.
//! * [`relay::Relay`] has the sockets: one towards the server for each client, and one for all clients.
//! * [`watch::Watcher`] follows and records what the relay saw, on a thread of its own, so that no player waits for it.

pub mod relay;
#[cfg(feature = "riptide")]
pub mod riptide;
mod session;
pub mod traffic;
mod transparent;
pub mod watch;

pub use session::{Session, Side};
pub use transparent::Transparent;
