//! A server: accepts clients and processes their packets one after the other.
//!
//! A [`Server`] is a [`Machine`](gamewire_machine::Machine) with a stream for each client. It logs clients in, pings them, and emits their
//! packets, one of each client at a time. What is sent to a client between such an [`Event`] and
//! [`Server::finish_request`] is the answer: it is frozen and leaves together, between the PROCESSING_STARTED and
//! PROCESSING_FINISHED packets of the request.
//!
//! A [`Replay`] sends a client what another server sent before.

mod accept;
mod commands;
mod config;
mod disconnect;
mod error;
mod event;
mod machine;
mod peer;
mod peers;
mod receive;
mod replay;
mod roles;
#[allow(clippy::module_inception, reason = "the struct, next to the impls of its concerns")]
mod server;
mod state;
mod timers;
mod transmit;

pub use config::{LoginPolicy, ServerConfig};
pub use error::{CloseReason, SendError};
pub use event::{ClientId, Event};
pub use replay::{Replay, ReplayError, ReplayProgress};
pub use server::Server;
