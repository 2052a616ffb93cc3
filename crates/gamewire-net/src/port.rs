use std::io::{self, IoSliceMut};

use quinn_udp::{RecvMeta, Transmit};

/// What an engine needs of a socket that does not block.
pub(crate) trait DatagramSocket {
    /// Fills buffers with what has come, and says how many.
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize>;

    /// Hands a datagram, or a run of them, to the system.
    fn send(&self, transmit: &Transmit<'_>) -> io::Result<()>;

    /// How many datagrams may be in a run at the moment.
    fn max_gso_segments(&self) -> usize;
}
