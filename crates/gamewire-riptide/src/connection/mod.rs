//! One connection with a peer of either format: packets in, packets and effects out.
//!
//! A [`Connection`] puts a [`Link`](crate::link::Link) and a codec together. It acknowledges packets and replies to
//! heartbeats, writes into its owner's queue, and returns as [`Inbound`] what the owner decides: a client has one
//! connection, a server a table of them.

#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod connection;
mod control;
mod extension;
mod frames;
mod receive;
mod send;

use connection::by_format;
pub(crate) use connection::{Connection, ConnectionConfig, max_size};
pub(crate) use control::{connect_data, send_unconnected_reject};
pub(crate) use frames::{Frames, write_frame};
pub(crate) use receive::Inbound;
