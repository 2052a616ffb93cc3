use std::net::SocketAddr;

use gamewire_machine::Role;

use super::event::{ClientNumber, Transport};
use crate::Side;

/// A datagram that crossed a socket of the proxy, or the next bytes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Nanoseconds since 1970-01-01 00:00 UTC.
    pub time: i64,
    /// True for a datagram that a disturbed link lost: it was not sent.
    pub is_lost: bool,
    /// The client in whose conversation it was.
    pub client: ClientNumber,
    /// The side of the proxy on which it was seen. The proxy itself is at the other end.
    pub side: Side,
    /// The role of its sender: it went towards the other one.
    pub sender: Role,
    /// How it was sent.
    pub transport: Transport,
    /// The address of the client on this side: on the server's side, that of the proxy.
    pub client_address: SocketAddr,
    /// The address of the server on this side: on the client's side, that of the proxy.
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
