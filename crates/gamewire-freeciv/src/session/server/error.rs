use ::core::time::Duration;

use thiserror::Error;

use crate::delta::DeltaError;
use crate::frame::{FrameError, WriteError};
use crate::session::packet_queue::impl_from_queue_error;

/// Why a client is disconnected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// The client closed the connection, or the driver did because it was reset or read too slowly.
    #[error("the client left")]
    Left,
    /// The client was not accepted.
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
    /// A packet of the client cannot be decoded, or one of the server cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// A packet that the client must not send in this state.
    #[error("unexpected {0}")]
    Unexpected(String),
    /// The client's chunks inflate to too many bytes.
    #[error("the client's chunks inflate to more than {limit} bytes per second")]
    Inflated {
        /// Maximum bytes per second.
        limit: u64,
    },
    /// Too many requests of the client wait.
    #[error("request queue full: more than {limit} requests wait")]
    RequestQueue {
        /// Maximum number of requests.
        limit: usize,
    },
    /// The client does not read what it is sent.
    #[error("send queue full: more than {limit} bytes wait")]
    SendQueue {
        /// Maximum bytes in the queue.
        limit: usize,
    },
    /// A packet for the client is too long. The baselines of both sides would differ from then on.
    #[error("cannot send a packet: {0}")]
    Unsendable(#[from] WriteError),
}

impl_from_queue_error!(CloseReason { SendQueue, Packet, Unsendable });

/// Why a command was not executed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// No client has this id.
    #[error("the client is disconnected")]
    NoSuchClient,
    /// The client has not joined.
    #[error("the client has not joined yet")]
    NotJoined,
    /// The client does not wait for this.
    #[error("the client did not ask for that")]
    NotRequested,
    /// The definition has no packet with this name.
    #[error("unknown packet {0}")]
    Unknown(String),
    /// The packet cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
}
