use core::time::Duration;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use gamewire_freeciv::session::client::{CloseReason, SendError};
use gamewire_net::OpenError;
use thiserror::Error;

/// Why a player could not join, give an order or wait for something.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The name of the server means no address.
    #[error("cannot find the server: {0}")]
    Resolve(io::Error),
    /// There is no stream to the server.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The socket no longer works.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The connection is over.
    #[error("{0}")]
    Closed(CloseReason),
    /// An order was not sent.
    #[error(transparent)]
    Send(#[from] SendError),
    /// It did not happen in time.
    #[error("nothing of it after {} s", after.as_secs_f64())]
    Timeout {
        /// How long it was waited for.
        after: Duration,
    },
    /// The answer was taken before, or is so old that it was forgotten.
    #[error("no answer is left for that order")]
    UnknownOrder,
}

/// How long a server may take to let one in, or to answer.
pub(super) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

pub(super) fn resolve(server: impl ToSocketAddrs) -> Result<SocketAddr, PlayError> {
    let first = server.to_socket_addrs().map_err(PlayError::Resolve)?.next();
    first.ok_or_else(|| PlayError::Resolve(io::ErrorKind::NotFound.into()))
}
