//! Teeworlds and DDNet: a server towards the client, and a client towards the server, in the same or in another dialect.

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
