//! Riptide: a server towards the client, and a client towards the server.

mod hook;
mod session;
mod translated;

pub use hook::{Action, MessageHook, Unchanged};
pub use session::{RiptideConfig, RiptideSession};
