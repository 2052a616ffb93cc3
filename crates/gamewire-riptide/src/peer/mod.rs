//! One connection with a peer of either format: packets in, packets out.
//!
//! A [`Peer`] puts a [`Connection`](crate::link::Connection) and a codec together. It answers by
//! itself what needs no decision (acks, heartbeats), writes into its owner's outbox, and leaves the
//! rest to its owner, be that a client or a server.

mod answers;
mod by_format;
mod error;
mod extended;
mod frames;
mod loose;
#[allow(clippy::module_inception, reason = "the folder is named after what it holds")]
mod peer;
mod receive;
mod send;

pub(crate) use answers::ReplyQueue;
pub use error::{PacketError, SendError};
pub(crate) use frames::{Frames, write_frame};
pub(crate) use loose::{connect_data, refuse};
pub(crate) use peer::{Peer, PeerConfig, max_size};
pub(crate) use receive::{FastPathOutcome, Inbound};

use by_format::by_format;
