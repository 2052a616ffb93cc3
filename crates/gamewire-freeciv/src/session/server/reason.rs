use ::core::time::Duration;

use thiserror::Error;

use crate::delta::DeltaError;
use crate::frame::{FrameError, WriteError};

/// Why a client is gone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// It closed the connection, or that broke, or it read too slowly for the driver.
    #[error("the client left")]
    Left,
    /// It was not let in.
    #[error("refused: {0}")]
    Refused(String),
    /// It was thrown out.
    #[error("kicked: {0}")]
    Kicked(String),
    /// The server shuts down.
    #[error("the server shuts down")]
    Shutdown,
    /// It took too long to log in.
    #[error("not logged in after {} s", after.as_secs_f64())]
    LoginDeadline {
        /// How long it had.
        after: Duration,
    },
    /// It did not answer a ping.
    #[error("no answer to a ping for {} s", after.as_secs_f64())]
    PingTimeout {
        /// How long it had.
        after: Duration,
    },
    /// Its stream cannot be taken apart.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A packet cannot be read, or one of the server's own not written.
    #[error(transparent)]
    Packet(#[from] Box<DeltaError>),
    /// A packet that has no place where the connection stands.
    #[error("{0} out of place")]
    Unexpected(String),
    /// Its chunks inflate to too much.
    #[error("chunks that inflate to more than {limit} bytes in a second")]
    Inflated {
        /// How much was allowed.
        limit: u64,
    },
    /// Too many of its requests wait for their turn.
    #[error("more than {limit} requests wait")]
    RequestQueue {
        /// How many were allowed.
        limit: usize,
    },
    /// It does not read what it is sent.
    #[error("more than {limit} bytes wait to be sent")]
    SendQueue {
        /// How many were allowed.
        limit: usize,
    },
    /// A packet for it was too long; what the client knows and what the server believes it to know
    /// would differ from then on.
    #[error("cannot send {0}")]
    Unsendable(#[from] WriteError),
}
