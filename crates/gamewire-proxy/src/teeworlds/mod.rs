//! Teeworlds and DDNet: a bridge that acts as a server for the client and as a client for the server, each with its
//! own dialect.

mod bridge;
mod config;
mod connection;
mod info;
mod outgoing;
mod received;
mod rule_messages;
mod same_version;
mod snapshots;
mod state;
mod translated;

pub(crate) use connection::Connection;
pub(crate) use outgoing::Outgoing;
pub(crate) use snapshots::Snapshots;

pub use bridge::TeeworldsBridge;
pub use config::{TeeworldsConfig, TeeworldsStats};
pub use info::InfoLimit;
pub use rule_messages::TeeworldsMessages;
