//! Riptide: a bridge that acts as a server for the client and as a client for the server.

mod bridge;
mod rule_messages;
mod translated;

pub use bridge::{RiptideBridge, RiptideConfig};
pub use rule_messages::RiptideMessages;
