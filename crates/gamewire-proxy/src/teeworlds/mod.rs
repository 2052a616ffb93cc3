//! Teeworlds and DDNet: a session that acts as a server for the client and as a client for the server, each with its
//! own dialect.

mod config;
mod connection;
mod info;
mod outgoing;
mod received;
mod relayed;
mod rule_messages;
mod same_version;
mod session;
mod snapshots;
mod translated;

pub(crate) use connection::Connection;
pub(crate) use outgoing::Outgoing;
pub(crate) use snapshots::Snapshots;

pub use config::{TeeworldsConfig, TeeworldsStats};
pub use rule_messages::TeeworldsMessages;
pub use session::TeeworldsSession;
