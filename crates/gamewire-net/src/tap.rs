use std::net::SocketAddr;

use gamewire_machine::StreamId;

/// The direction of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From a peer to the machine.
    Incoming,
    /// From the machine to a peer.
    Outgoing,
}

/// One datagram that crossed a socket, or the next bytes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapPacket<'a> {
    /// Time in microseconds since 1970. Within one driver it never decreases.
    pub unix_micros: u64,
    /// The direction.
    pub direction: Direction,
    /// Address that the socket is bound to. Its IP address may be unspecified.
    pub local: SocketAddr,
    /// The peer's address.
    pub peer: SocketAddr,
    /// The content.
    pub bytes: &'a [u8],
}

impl TapPacket<'_> {
    /// Returns the sender.
    pub const fn from(&self) -> SocketAddr {
        match self.direction {
            Direction::Incoming => self.peer,
            Direction::Outgoing => self.local,
        }
    }

    /// Returns the receiver.
    pub const fn to(&self) -> SocketAddr {
        match self.direction {
            Direction::Incoming => self.local,
            Direction::Outgoing => self.peer,
        }
    }
}

/// Receives every datagram that crosses a driver's socket: incoming ones before [`Conditions`](crate::Conditions) drop
/// some of them, outgoing ones after the system has accepted them. It can also receive the bytes of streams.
///
/// The driver calls it synchronously, so it must be fast. Every `FnMut(&TapPacket)` is a tap for
/// datagrams.
pub trait Tap {
    /// Handles a datagram.
    fn on_datagram(&mut self, packet: &TapPacket<'_>);

    /// Handles the next bytes of a stream. Each call has the bytes of one read or write.
    fn on_stream_bytes(&mut self, stream: StreamId, packet: &TapPacket<'_>) {
        let _ = (stream, packet);
    }
}

impl<F: FnMut(&TapPacket<'_>)> Tap for F {
    fn on_datagram(&mut self, packet: &TapPacket<'_>) {
        self(packet);
    }
}
