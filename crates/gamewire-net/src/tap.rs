use std::net::SocketAddr;

use gamewire_machine::StreamId;

/// Which way something went.
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
    /// When, in microseconds since 1970. Within one driver it never goes back.
    pub unix_micros: u64,
    /// Which way.
    pub direction: Direction,
    /// The address that the socket is bound to; its IP address may be unspecified.
    pub local: SocketAddr,
    /// Where it came from or went to.
    pub peer: SocketAddr,
    /// What it said.
    pub bytes: &'a [u8],
}

impl TapPacket<'_> {
    /// Who sent it.
    #[must_use]
    pub const fn from(&self) -> SocketAddr {
        match self.direction {
            Direction::Incoming => self.peer,
            Direction::Outgoing => self.local,
        }
    }

    /// Whom it was sent to.
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
/// It is called from within the driver and should not take long. Every `FnMut(&Crossing)` is one,
/// for datagrams.
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
