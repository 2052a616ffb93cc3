use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::{Role, Transport};

use crate::packet::PeerNumber;

/// An event of a client of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// This side closed its stream first.
    ClosedBy(Role),
    /// Neither side sent anything for too long.
    Idle,
    /// A new client replaced this one, because this one had not answered the server.
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
            Self::Finished => f.write_str("the session ended"),
            Self::ClosedBy(role) => write!(f, "closed by the {role}"),
            Self::Idle => f.write_str("idle"),
            Self::Displaced => f.write_str("displaced by a new client before it answered"),
            Self::NoServer(kind) => write!(f, "the server did not accept the stream: {kind}"),
            Self::Requested => f.write_str("closed on request"),
            Self::Stopped => f.write_str("the proxy stopped"),
        }
    }
}

/// Counters of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionStats {
    /// Number of received datagrams, or of reads from a stream.
    pub received: u64,
    /// Number of received bytes.
    pub received_bytes: u64,
    /// Number of sent datagrams, or of writes to a stream.
    pub sent: u64,
    /// Number of sent bytes.
    pub sent_bytes: u64,
    /// Number of datagrams that the system did not accept.
    pub not_sent: u64,
}

impl DirectionStats {
    fn add(&mut self, other: Self) {
        let Self { received, received_bytes, sent, sent_bytes, not_sent } = other;
        let totals = [
            (&mut self.received, received),
            (&mut self.received_bytes, received_bytes),
            (&mut self.sent, sent),
            (&mut self.sent_bytes, sent_bytes),
            (&mut self.not_sent, not_sent),
        ];
        totals.into_iter().for_each(|(total, more)| *total = total.saturating_add(more));
    }

    /// Counts a received datagram, or a read, of this length.
    pub fn count_received(&mut self, length: usize) {
        add(&mut self.received, 1);
        add(&mut self.received_bytes, length);
    }

    /// Counts a sent datagram, or a write, of this length.
    pub fn count_sent(&mut self, length: usize) {
        add(&mut self.sent, 1);
        add(&mut self.sent_bytes, length);
    }
}

/// Counters of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientStats {
    /// From the client to the server.
    pub to_server: DirectionStats,
    /// From the server to the client.
    pub to_client: DirectionStats,
}

impl ClientStats {
    /// Adds the counters of another client.
    pub fn add(&mut self, other: Self) {
        self.to_server.add(other.to_server);
        self.to_client.add(other.to_client);
    }
}

fn add(counter: &mut u64, more: usize) {
    *counter = counter.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
}
