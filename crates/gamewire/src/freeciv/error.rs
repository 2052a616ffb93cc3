use core::time::Duration;
use std::io;

use gamewire_freeciv::session::client::{CloseReason, SendError};
use gamewire_freeciv::world::Ending;
use gamewire_net::OpenError;
use thiserror::Error;

/// The reason why a player could not join, send an order or wait for something.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The server's name has no address.
    #[error("cannot resolve the server: {0}")]
    Resolve(io::Error),
    /// The stream to the server could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The socket no longer works.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The connection is closed.
    #[error("{0}")]
    Closed(CloseReason),
    /// An order was not sent.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The expected event did not happen in time.
    #[error("timed out after {} s", after.as_secs_f64())]
    Timeout {
        /// The time that passed.
        after: Duration,
    },
    /// There are no more turns.
    #[error("{0}")]
    Ended(Ending),
    /// The reply was taken before, or was dropped because it is too old.
    #[error("the reply to this order was already taken or dropped")]
    UnknownOrder,
}

/// Maximum time for a server to accept a player, or to reply.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);
