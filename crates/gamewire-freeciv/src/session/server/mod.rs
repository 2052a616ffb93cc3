//! A server: lets clients in and answers their requests one after the other.
//!
//! A [`Server`] is a [`Streams`](gamewire_machine::Streams) machine. It logs clients in, pings
//! them, and hands their packets to the application, one of each client at a time. Between such an
//! [`Event`] and [`Server::finish`] lies the answer: what is sent to that client then is frozen, and
//! leaves together between the packets that say that its request is dealt with.
//!
//! A [`Replay`] says to a client what another server once said.

mod close;
mod commands;
mod config;
mod event;
mod introduce;
mod login;
mod machine;
mod peer;
mod ping;
mod reason;
mod receive;
mod replay;
mod send;
mod stage;

pub use config::{LoginPolicy, ServerConfig};
pub use event::{ClientId, Event};
pub use machine::Server;
pub use reason::CloseReason;
pub use replay::{Replay, ReplayError, ReplayProgress};
pub use send::SendError;
