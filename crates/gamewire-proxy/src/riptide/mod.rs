//! Riptide: a session that acts as a server for the client and as a client for the server.

mod rule_messages;
mod session;
mod translated;

pub use rule_messages::RiptideMessages;
pub use session::{RiptideConfig, RiptideSession};
