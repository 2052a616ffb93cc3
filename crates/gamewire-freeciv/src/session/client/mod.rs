//! A client, which joins a server and keeps the connection alive.
//!
//! A [`Client`] is a [`Machine`](gamewire_machine::Machine) with one stream. [`Client::handle_bytes_with`] passes each
//! packet by reference. A machine that maintains a world can therefore wrap a client and apply the packets without
//! copying, as [`Player`](crate::play::Player) does.

#[allow(clippy::module_inception, reason = "the struct, next to the impls of its concerns")]
mod client;
mod commands;
mod config;
mod error;
mod event;
mod machine;
mod receive;
mod state;
mod timers;

pub use client::Client;
pub(in crate::session) use config::capability_string;
pub use config::{ClientConfig, ClientInfo, Version};
pub use error::{CloseReason, Phase, SendError};
pub use event::{Event, Incoming, Joined, PasswordRequest};
