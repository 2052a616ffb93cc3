//! A server, which accepts clients and processes their packets one at a time.
//!
//! A [`Server`] is a [`Machine`](gamewire_machine::Machine) with a stream for each client. It logs clients in, pings
//! them, and emits their packets. For each client, it emits one packet at a time. The packets that the application
//! sends between such an [`Event`] and [`Server::finish_request`] are the answer to the client. They are frozen, and
//! sent together between the PROCESSING_STARTED and PROCESSING_FINISHED packets of the request.
//!
//! A [`Replay`] sends the recorded packets of another server to a client.

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
