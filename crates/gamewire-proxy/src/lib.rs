#![forbid(unsafe_code)]
//! A proxy between the clients and the server of a game.
//!
//! * A [`Bridge`] handles the traffic of one client, without sockets and without a clock. [`Transparent`] passes the
//!   bytes on unchanged. `teeworlds::TeeworldsBridge`, `riptide::RiptideBridge` and
//!   `freeciv::FreecivBridge` decode every message and encode it again.
//! * [`relay::Relay`] owns the sockets: one to the server for each client, and one that all clients share.
//! * [`replay`] plays recorded conversations to real game programs.
//! * A [`Watcher`](gamewire_watch::Watcher) decodes and records the relayed traffic on a separate thread, so that it does
//!   not delay players.

mod bridge;
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
#[cfg(feature = "teeworlds")]
pub mod teeworlds;
mod transparent;

pub use bridge::Bridge;
#[cfg(any(feature = "teeworlds", feature = "riptide", feature = "freeciv"))]
pub use hook::{Action, MessageHook, Unchanged};
pub use transparent::Transparent;
