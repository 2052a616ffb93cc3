//! The server's role: clients of both formats over datagrams, streams and transports of the
//! application's own, all at once.
//!
//! A connection is half open from the first question of a client, which may be forged, until the
//! client sends the Welcome back that it was sent; then it is a client. Half-open connections are
//! few, are told little, and end soon.
//!
//! How much more a forged address is sent than whoever forged it had to send, in bytes of packets,
//! and with 28 bytes for IPv4 and UDP on each:
//!
//! | | packets | with headers |
//! |---|---|---|
//! | the original, one question | 15 x 5 for 1: 75 | 17 |
//! | one question | 3 x 5 for 1: 15 | 3.4 |
//! | each further question | 5 | 1.14 |
//! | a refusal in 2.1 (in 2.0) | 6 (2) | 3.1 (1.03) |
//! | [strict](ServerConfig::strict), one question | 5 | 1.14 |
//! | strict, a question every 10 ms | 0.04 | 0.01 |
//! | strict, a refusal | 2 | 1.03 |
//!
//! The protocol has no cookie: whoever guesses the id in the Welcome (ids are given in order) and
//! sends it back from a forged address is a client, until it times out; and whoever knows the
//! address of a client can end its connection. Let the application decide with
//! [`ServerConfig::handle_connection`] where that matters.

mod admit;
mod budget;
mod client_ids;
mod commands;
mod config;
mod connection;
mod connections;
mod event;
mod framing;
mod half_open;
mod hear;
mod lanes;
mod machine;
mod part;
mod polls;
mod reject;
mod relay_filter;
mod relaying;
#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod server;
mod streams;
#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test that overflows fails"
)]
mod tests;
mod timers;
mod view;

pub use config::{RelayBudget, ServerConfig};
pub use event::Event;
pub use reject::ServerPacketError;
pub use relay_filter::RelayFilter;
pub use server::Server;
pub use view::ClientView;
