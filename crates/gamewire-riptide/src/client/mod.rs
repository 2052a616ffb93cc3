//! A client of a server of either format: [`Client`] connects, sends messages, tells what comes,
//! and leaves.
//!
//! It asks for nothing but packets and the time, on datagrams, on a stream, or on a transport of
//! the application's own. What happens is told as [`Event`]s.

#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod client;
mod commands;
mod config;
mod core;
mod event;
mod machine;
mod stage;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;

pub use client::Client;
pub use config::ClientConfig;
pub use event::Event;
pub use machine::StreamError;
