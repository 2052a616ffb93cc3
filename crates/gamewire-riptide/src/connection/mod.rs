//! One connection with a peer of either format: packets in, packets and effects out.
//!
//! A [`Connection`] puts a [`Link`](crate::link::Link) and a codec together. It acknowledges packets and replies to
//! heartbeats, writes into its owner's queue, and returns as [`Inbound`] what the owner decides: a client has one
//! connection, a server a table of them.

#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod connection;
mod extension;
mod receive;
mod send;

pub(crate) use connection::{Connection, ConnectionConfig, max_size};
pub(crate) use receive::{Inbound, connect_data};
pub(crate) use send::send_unconnected_reject;
