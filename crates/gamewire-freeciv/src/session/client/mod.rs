//! A client: joins a server and stays in touch with it.
//!
//! A [`Client`] is a [`Stream`](gamewire_machine::Stream) machine. As such its events hold copies
//! of packets; [`Client::handle_bytes_with`] lends the packets instead, so that nothing is copied.
//! Whoever keeps a world wraps a client in a machine of its own and calls that.

mod config;
mod core;
mod event;
mod machine;
mod password;
mod reason;
mod send;
mod stage;

pub use config::{ClientConfig, ClientInfo, Version};
pub use event::{Event, Joined};
pub use machine::Client;
pub use password::PasswordRequest;
pub use reason::{CloseReason, Phase};
pub use send::SendError;
