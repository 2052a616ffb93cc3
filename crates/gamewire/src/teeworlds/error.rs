use core::time::Duration;
use std::io;

use gamewire_net::OpenError;
use gamewire_teeworlds::CloseReason;
use thiserror::Error;

/// The reason why a player could not join or continue.
#[derive(Debug, Error)]
pub enum PlayError {
    /// The server's name has no address.
    #[error("cannot resolve {server}: {source}")]
    Resolve {
        /// The name.
        server: String,
        /// The error of the resolver.
        source: io::Error,
    },
    /// The server did not reply in any dialect.
    #[error("no answer from {server} in any dialect; check the address or set the dialect")]
    NoAnswer {
        /// The server.
        server: String,
    },
    /// The socket could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The socket no longer works.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The connection is closed.
    #[error("{0}")]
    Closed(CloseReason),
    /// The player did not enter the game in time.
    #[error("timed out after {} s waiting to enter the game", after.as_secs_f64())]
    Timeout {
        /// The time that passed.
        after: Duration,
    },
}
