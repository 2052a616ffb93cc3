#![forbid(unsafe_code)]
//! A proxy between the clients and the server of a game.
//!
//! What happens to the traffic of one client is a [`Session`], without sockets and without a clock: [`Transparent`]
//! passes the bytes on as they are.

pub mod relay;
mod session;
pub mod traffic;
mod transparent;
pub mod watch;

pub use session::{Session, Side};
pub use transparent::Transparent;
