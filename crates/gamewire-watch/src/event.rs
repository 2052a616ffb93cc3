use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::Transport;

use crate::packet::PeerNumber;
use crate::stats::ClientStats;

/// An event of a client of a proxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A client sent its first datagram or opened a stream.
    Opened {
        /// The client's number.
        client: PeerNumber,
        /// The client's address.
        address: SocketAddr,
        /// The client's transport.
        transport: Transport,
    },
    /// The proxy removed a client. This is the client's last event.
    Closed {
        /// The client's number.
        client: PeerNumber,
        /// The reason.
        reason: CloseReason,
        /// The client's counters.
        stats: ClientStats,
    },
}

/// The reason why a proxy removed a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CloseReason {
    /// The session ended.
    Finished,
    /// The client closed its stream first.
    ClosedByClient,
    /// The server closed its stream first.
    ClosedByServer,
    /// Neither side sent anything for too long.
    Idle,
    /// A new client replaced it, because it had not answered the server.
    Displaced,
    /// The server did not accept the stream.
    NoServer(std::io::ErrorKind),
    /// The program that controls the proxy closed it.
    Requested,
    /// The proxy stopped.
    Stopped,
}

impl fmt::Display for CloseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished => f.write_str("the session is over"),
            Self::ClosedByClient => f.write_str("closed by the client"),
            Self::ClosedByServer => f.write_str("closed by the server"),
            Self::Idle => f.write_str("idle"),
            Self::Displaced => f.write_str("displaced by a new client before it answered"),
            Self::NoServer(kind) => write!(f, "the server did not accept the stream: {kind}"),
            Self::Requested => f.write_str("closed on request"),
            Self::Stopped => f.write_str("the proxy stopped"),
        }
    }
}
