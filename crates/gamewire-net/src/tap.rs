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

/// One datagram that crossed a socket, or the next run of bytes of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TapPacket<'a> {
    /// Time in microseconds since 1970. Within one driver it never goes back.
    pub unix_micros: u64,
    /// The direction.
    pub direction: Direction,
    /// The address that the socket is bound to; its IP address may be unspecified.
    pub local: SocketAddr,
    /// The peer's address.
    pub peer: SocketAddr,
    /// The content.
    pub bytes: &'a [u8],
}

impl TapPacket<'_> {
    /// Returns the sender.
    #[must_use]
    pub const fn from(&self) -> SocketAddr {
        match self.direction {
            Direction::Incoming => self.peer,
            Direction::Outgoing => self.local,
        }
    }

    /// Returns the receiver.
    #[must_use]
    pub const fn to(&self) -> SocketAddr {
        match self.direction {
            Direction::Incoming => self.local,
            Direction::Outgoing => self.peer,
        }
    }
}

/// Sees every datagram that crosses a driver's socket: incoming ones before
/// [`Conditions`](crate::Conditions) lose some, outgoing ones when the system has taken them. It
/// may see what crosses streams as well.
///
/// The driver calls it and waits, so it should be quick. Every `FnMut(&TapPacket)` is a tap for
/// datagrams.
pub trait Tap {
    /// A datagram crossed.
    fn on_datagram(&mut self, crossing: &TapPacket<'_>);

    /// The next bytes of a stream crossed, cut as the system cut them.
    fn on_stream_bytes(&mut self, stream: StreamId, crossing: &TapPacket<'_>) {
        let _ = (stream, crossing);
    }
}

impl<F: FnMut(&TapPacket<'_>)> Tap for F {
    fn on_datagram(&mut self, crossing: &TapPacket<'_>) {
        self(crossing);
    }
}
