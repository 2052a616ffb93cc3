//! What `join` and `play` have in common on a Freeciv server.

mod connect;
pub(crate) mod describe;
mod error;

pub(crate) use connect::connect;
pub(crate) use error::error_message;
