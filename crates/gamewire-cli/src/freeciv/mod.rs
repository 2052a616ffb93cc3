//! Connection, events and errors of the clients `join`, `play` and `info` of Freeciv.

mod connect;
pub(crate) mod describe;
mod error;

pub(crate) use connect::{client_config, connect};
pub(crate) use error::error_message;
