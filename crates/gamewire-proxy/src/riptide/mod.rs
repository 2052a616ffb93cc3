//! Riptide: a server towards the client, and a client towards the server.

mod hook;
mod rules;
mod session;
mod translated;

pub use hook::{Action, MessageHook, Unchanged};
pub use rules::{Rules, RulesError};
pub use session::{RiptideConfig, RiptideSession};
