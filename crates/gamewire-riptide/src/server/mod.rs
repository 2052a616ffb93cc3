//! The server role: clients of both formats over datagrams, streams and the application's own transports at the same
//! time.
//!
//! A connection is half open from the first connect request, which may be forged, until the client echoes the Welcome.
//! Few connections may be half open; the server sends them little, and closes them soon.
//!
//! Amplification: bytes sent to a forged address per byte of the forger, in packets, and with the 28 bytes of IPv4 and
//! UDP headers:
//!
//! | | packets | with headers |
//! |---|---|---|
//! | C# library, one request | 15 x 5 for 1: 75 | 17 |
//! | one request | 3 x 5 for 1: 15 | 3.4 |
//! | each further request | 5 | 1.14 |
//! | a Reject in 2.1 (in 2.0) | 6 (2) | 3.1 (1.03) |
//! | [hardened](ServerConfig::hardened), one request | 5 | 1.14 |
//! | hardened, a request every 10 ms | 0.04 | 0.01 |
//! | hardened, a Reject | 2 | 1.03 |
//!
//! The protocol has no cookie. An attacker who guesses the id in a Welcome (ids are sequential) can echo it from a
//! forged address, and is a client until it times out. An attacker who knows a client's address can disconnect it.
//! Where that matters, let the application decide with [`ServerConfig::handle_connection`].

mod accept;
mod broadcast;
mod commands;
mod config;
mod disconnect;
mod event;
mod half_open;
mod machine;
mod peer;
mod peers;
mod queues;
mod receive;
mod relay;
mod relay_limits;
#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod server;
mod stats;
mod streams;
#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test that overflows fails"
)]
mod tests;
mod transmit;
mod view;

pub use crate::error::ServerPacketError;
pub use broadcast::Broadcast;
pub use config::ServerConfig;
pub use event::Event;
pub use relay_limits::{RelayBudget, RelayFilter};
pub use server::Server;
pub use stats::PacketErrorStats;
pub use view::ClientView;
