//! The server's role: clients of both formats over datagrams, streams and transports of the
//! application's own, all at once.
//!
//! A connection is half open from the first question of a client, which may be forged, until the
//! client sends the Welcome back that it was sent; then it is a client. Half-open connections are
//! few, are told little, and end soon.

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
pub use reject::Reject;
pub use relay_filter::RelayFilter;
pub use server::Server;
pub use view::ClientView;
