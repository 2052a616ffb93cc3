//! Connection, events and errors of the clients `join` and `play` of Freeciv.

mod connect;
pub(crate) mod describe;
mod error;

pub(crate) use connect::connect;
pub(crate) use error::error_message;
