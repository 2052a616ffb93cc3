//! Teeworlds and DDNet: a server towards the client, and a client towards the server, in the same or in another dialect.

mod connection;
mod info;
mod outgoing;
mod relayed;
mod rule_messages;
mod same_version;
mod session;
mod snapshots;
mod translated;

pub use rule_messages::TeeworldsMessages;
pub use session::{TeeworldsConfig, TeeworldsSession};
