use std::net::SocketAddr;

use gamewire_machine::{Role, Transport};

use super::event::ClientNumber;

/// Metadata of a datagram, or of a chunk of a stream, on a socket of the proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    pub time: i64,
    /// True for a datagram that was not sent, because a link's conditions lost it.
    pub is_lost: bool,
    /// The client of the conversation.
    pub client: ClientNumber,
    /// The side of the proxy on which the packet was captured. The proxy is the other end of that connection.
    pub side: Role,
    /// The role of the sender. The receiver has the other role.
    pub sender: Role,
    /// The transport.
    pub transport: Transport,
    /// The client's address. On the server's side, this is the proxy's address.
    pub client_address: SocketAddr,
    /// The server's address. On the client's side, this is the proxy's address.
    pub server_address: SocketAddr,
}

impl Packet {
    /// Returns the addresses of the sender and of the receiver.
    pub const fn addresses(&self) -> (SocketAddr, SocketAddr) {
        match self.sender {
            Role::Client => (self.client_address, self.server_address),
            Role::Server => (self.server_address, self.client_address),
        }
    }
}
