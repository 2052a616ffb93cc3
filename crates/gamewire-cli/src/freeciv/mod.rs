//! What `join`, `play` and `info` have in common on a Freeciv server.

mod connect;
pub(crate) mod describe;
mod error;

pub(crate) use connect::{client_config, connect};
pub(crate) use error::error_message;
