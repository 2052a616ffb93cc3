use std::io;

/// An event of a [`Transport`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportEvent {
    /// A peer connected. A transport without connections never returns this event, because the first packet of a peer
    /// also opens the peer.
    Opened(u64),
    /// A peer sent the packet that is now in the buffer.
    Packet(u64),
    /// A peer disconnected. Its number may be reused.
    Closed(u64),
}

/// A custom transport, such as Steam, WebRTC or shared memory: `IPeer`, `IServer` and `IClient` of C#.
///
/// Packets arrive whole or not at all; they may be lost, duplicated and out of order. The transport chooses the numbers
/// of peers. A number identifies one peer until it is closed. No method may block.
pub trait Transport {
    /// Returns the next event, or `None` if nothing has arrived. A packet replaces the content of `buffer`.
    ///
    /// # Errors
    /// [`io::Error`] if the transport failed for all peers.
    fn poll(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<TransportEvent>>;

    /// Sends a packet to a peer. It may be lost: reliable messages are resent.
    fn send(&mut self, to: u64, packet: &[u8]);

    /// Closes a peer. Earlier packets should still reach it.
    fn close(&mut self, peer: u64);
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn poll(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<TransportEvent>> {
        (**self).poll(buffer)
    }

    fn send(&mut self, to: u64, packet: &[u8]) {
        (**self).send(to, packet);
    }

    fn close(&mut self, peer: u64) {
        (**self).close(peer);
    }
}
