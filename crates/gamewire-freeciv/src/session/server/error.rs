use ::core::time::Duration;

use thiserror::Error;

use crate::delta::DeltaError;
use crate::frame::{FrameError, WriteError};
use crate::session::packet_queue::impl_from_queue_error;

/// The reason why a client is disconnected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// The client closed the connection. Or the driver closed it, because it was reset or the client read too slowly.
    #[error("the client left")]
    Left,
    /// The server rejected the client.
    #[error("refused: {0}")]
    Refused(String),
    /// The application disconnected the client.
    #[error("kicked: {0}")]
    Kicked(String),
    /// The server shuts down.
    #[error("the server shuts down")]
    Shutdown,
    /// The login took too long.
    #[error("timed out after {} s waiting for the login", after.as_secs_f64())]
    LoginTimeout {
        /// The timeout.
        after: Duration,
    },
    /// The client did not answer a ping.
    #[error("timed out after {} s waiting for the answer to a ping", after.as_secs_f64())]
    PingTimeout {
        /// The timeout.
        after: Duration,
    },
    /// The client's stream cannot be split into packets.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A packet from the client cannot be decoded, or a packet of the server cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// The client sent a packet that is not allowed in this state.
    #[error("unexpected {0}")]
    Unexpected(String),
    /// The client's chunks inflate to too many bytes.
    #[error("the client's chunks inflate to more than {limit} bytes per second")]
    Inflated {
        /// Maximum bytes per second.
        limit: u64,
    },
    /// The client's request queue is full.
    #[error("request queue full: more than {limit} requests wait")]
    RequestQueue {
        /// Maximum number of requests.
        limit: usize,
    },
    /// The send queue is full, because the client does not read its packets.
    #[error("send queue full: more than {limit} bytes wait")]
    SendQueue {
        /// Maximum bytes in the queue.
        limit: usize,
    },
    /// A packet for the client is too long. The connection cannot continue, because the baselines of both sides would
    /// differ.
    #[error("cannot send a packet: {0}")]
    Unsendable(#[from] WriteError),
}

impl_from_queue_error!(CloseReason { SendQueue, Packet, Unsendable });

/// The error for a command that was not executed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// No client has this id.
    #[error("the client is disconnected")]
    NoSuchClient,
    /// The client has not joined.
    #[error("the client has not joined yet")]
    NotJoined,
    /// The client is not in a state in which this command is allowed.
    #[error("the state of the client does not allow this command")]
    NotRequested,
    /// The definition has no packet with this name.
    #[error("unknown packet {0}")]
    Unknown(String),
    /// The packet cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
}
