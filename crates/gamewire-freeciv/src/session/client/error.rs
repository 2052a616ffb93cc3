use ::core::fmt;
use ::core::time::Duration;

use thiserror::Error;

use crate::delta::DeltaError;
use crate::frame::{FrameError, WriteError};
use crate::session::packet_queue::impl_from_queue_error;
use crate::session::{Capabilities, CapabilityError, MissingCapability};

/// The reason for the end of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// The application closed the connection.
    #[error("closed by the application")]
    Left,
    /// The server rejected the client.
    #[error("the server refused the client: {}", refusal(.missing, .message))]
    Refused {
        /// The server's message.
        message: String,
        /// The missing capability, if it was the reason.
        missing: Option<MissingCapability>,
        /// The server's capability string, which names its version.
        capabilities: Option<Capabilities>,
    },
    /// The server accepted the client although their capabilities are incompatible.
    #[error(transparent)]
    Capability(#[from] MissingCapability),
    /// The server requires a version that no shipped definition has.
    #[error("unsupported version of the server: {version}; use a definition of that version")]
    UnknownVersion {
        /// The server's capability that names the version.
        version: String,
    },
    /// The server's capability string cannot be parsed.
    #[error("invalid capabilities of the server: {0}")]
    Capabilities(#[from] CapabilityError),
    /// The login made no progress for too long.
    #[error("timed out after {} s without progress while {phase}", after.as_secs_f64())]
    LoginTimeout {
        /// Phase of the connection at the timeout.
        phase: Phase,
        /// The timeout.
        after: Duration,
    },
    /// The server sent nothing for too long.
    #[error("timed out after {} s without a packet from the server", after.as_secs_f64())]
    IdleTimeout {
        /// The timeout.
        after: Duration,
    },
    /// The server shuts down.
    #[error("the server shuts down")]
    Shutdown,
    /// The server closed the connection, or it was reset.
    #[error("the connection ended {}while {phase}{}", cut(*.mid_packet), quote(.last_message.as_deref()))]
    Ended {
        /// Phase in which the connection ended.
        phase: Phase,
        /// True if the connection ended in the middle of a packet or chunk.
        mid_packet: bool,
        /// The server's last chat line, if it arrived shortly before the end.
        last_message: Option<String>,
    },
    /// The server's stream cannot be split into packets.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A packet from the server cannot be decoded, or a packet of the client cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// The server sent a packet that is not allowed in this phase.
    #[error("unexpected {packet} while {phase}")]
    Unexpected {
        /// Name of the packet.
        packet: &'static str,
        /// Phase in which it arrived.
        phase: Phase,
    },
    /// The server's chunks inflate to too many bytes.
    #[error("the server's chunks inflate to more than {limit} bytes per second")]
    Inflated {
        /// Maximum bytes per second.
        limit: u64,
    },
    /// A packet of the application is longer than a server accepts. The connection cannot continue, because the
    /// baselines of both sides would differ.
    #[error("cannot send a packet: {0}")]
    Unsendable(#[from] WriteError),
    /// The send queue is full.
    #[error("send queue full: more than {limit} bytes wait")]
    SendQueue {
        /// Maximum bytes in the queue.
        limit: usize,
    },
}

impl_from_queue_error!(CloseReason { SendQueue, Packet, Unsendable });
impl_from_queue_error!(SendError { Full, Packet, Long });

/// The error for a packet that was not sent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The client has not joined yet, and the server would misread the packet.
    #[error("the client has not joined yet")]
    NotJoined,
    /// The server does not wait for a password.
    #[error("the server did not ask for a password")]
    NotRequested,
    /// The connection is closed.
    #[error("the connection is closed")]
    Closed,
    /// The client's capabilities do not fit in the join request.
    #[error(transparent)]
    Capabilities(#[from] CapabilityError),
    /// The definition has no packet with this name.
    #[error("unknown packet {0}")]
    Unknown(String),
    /// The packet equals the last one of its type and key, and its type is only sent with changes.
    #[error("not sent: the packet equals the last one of its type and key")]
    Unchanged,
    /// The packet cannot be encoded.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// The packet is too long. The client is closed, because its baseline already contains the packet.
    #[error(transparent)]
    Long(#[from] WriteError),
    /// The send queue is full.
    #[error("send queue full: more than {limit} bytes wait")]
    Full {
        /// Maximum bytes in the queue.
        limit: usize,
    },
}

/// The phase of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The client waits for the reply to its join request.
    Joining,
    /// The server waits for a password.
    Authenticating,
    /// The server has accepted the client.
    Playing,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Joining => "joining",
            Self::Authenticating => "waiting for a password",
            Self::Playing => "playing",
        })
    }
}

fn refusal(missing: &Option<MissingCapability>, message: &str) -> String {
    match missing {
        Some(missing) => missing.to_string(),
        None if message.is_empty() => "no reason given".to_owned(),
        None => message.to_owned(),
    }
}

const fn cut(mid_packet: bool) -> &'static str {
    if mid_packet { "in the middle of a packet " } else { "" }
}

fn quote(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!("; last message of the server: {message}"))
}
