//! Connection, events and errors that `join`, `play` and `info` share for Freeciv.

mod connect;
pub(crate) mod describe;
mod error;
mod request;

pub(crate) use connect::{client_config, connect};
pub(crate) use describe::{json_of, rejection};
pub(crate) use error::error_message;
pub(crate) use request::Request;
