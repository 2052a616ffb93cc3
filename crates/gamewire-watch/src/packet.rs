use core::fmt;
use std::net::SocketAddr;
use std::time::{SystemTime, UNIX_EPOCH};

use gamewire_machine::{Role, Transport};

/// Number of a program's peer: a client of a proxy or server, or a server of a client. Peers are numbered from 1 in the
/// order of their first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerNumber(pub u64);

impl fmt::Display for PeerNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A connection of the program that observes a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PeerConnection {
    /// Number of the peer. Both connections of a proxy's client have the client's number.
    pub peer: PeerNumber,
    /// Role of the program at the other end of a proxy's connection. `None` if the observing program is itself the
    /// client or the server.
    pub side: Option<Role>,
}

/// Metadata of a datagram, or of a chunk of a stream, on a socket of the observing program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedPacket {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    pub time: i64,
    /// True for a datagram that was not sent, because a link's conditions lost it.
    pub is_lost: bool,
    /// The connection.
    pub connection: PeerConnection,
    /// Role of the sender. The receiver has the other role.
    pub sender: Role,
    /// The transport.
    pub transport: Transport,
    /// Address of the client's end of the connection. On the server's side of a proxy, this is the proxy's address.
    pub client: SocketAddr,
    /// Address of the server's end of the connection. On the client's side of a proxy, this is the proxy's address.
    pub server: SocketAddr,
}

impl ObservedPacket {
    /// Returns the addresses of the sender and of the receiver.
    pub const fn addresses(&self) -> (SocketAddr, SocketAddr) {
        match self.sender {
            Role::Client => (self.client, self.server),
            Role::Server => (self.server, self.client),
        }
    }
}

/// Returns the time in nanoseconds since 1970-01-01 00:00 UTC.
pub fn unix_nanos() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}
