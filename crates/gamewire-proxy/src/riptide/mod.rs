//! Riptide: a server towards the client, and a client towards the server.

mod rule_messages;
mod session;
mod translated;

pub use rule_messages::RiptideMessages;
pub use session::{RiptideConfig, RiptideSession};
