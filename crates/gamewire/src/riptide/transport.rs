use std::io;

/// What a [`Transport`] has to tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransportEvent {
    /// This peer is there from now on. A transport without connections never says so: a peer's
    /// first packet opens it too.
    Opened(u64),
    /// This peer sent the packet that now stands in the buffer.
    Packet(u64),
    /// This peer is gone: its number may be used again.
    Closed(u64),
}

/// Carries packets between this program and its peers in your own way: Steam, WebRTC, shared
/// memory. What `IPeer`, `IServer` and `IClient` are in C#.
///
/// Packets come whole or not at all; they may be lost, doubled and out of order. Peers are known
/// by numbers of your choice, of which each means one peer until it is closed. Nothing may block.
pub trait Transport {
    /// The next thing that came; a packet replaces what is in `buffer`. `None` until more comes.
    ///
    /// # Errors
    /// The transport no longer works, for any peer.
    fn poll(&mut self, buffer: &mut Vec<u8>) -> io::Result<Option<TransportEvent>>;

    /// Sends a packet to a peer, or loses it: whoever needs it sends it again.
    fn send(&mut self, to: u64, packet: &[u8]);

    /// No more will be said to this peer. What was sent before should still reach it.
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
