use core::time::Duration;
use std::io::{self, IoSliceMut};
use std::net::SocketAddr;

use quinn_udp::{RecvMeta, Transmit};

use crate::blocking::StdStream;

/// The operations of a non-blocking UDP socket that an engine needs.
pub(crate) trait DatagramSocket {
    /// Fills buffers with the datagrams that have arrived and returns the number of buffers filled.
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize>;

    /// Passes a datagram, or a GSO batch of them, to the system.
    fn send(&self, transmit: &Transmit<'_>) -> io::Result<()>;

    /// Returns the maximum number of datagrams in a GSO batch.
    fn max_gso_segments(&self) -> usize;
}

/// The operations of a non-blocking TCP stream that an engine needs.
pub(crate) trait StreamSocket {
    /// Maximum time that a dropped engine waits for peers to read.
    const DRAIN_TIMEOUT: Duration;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Shuts down the sending direction.
    fn finish(&mut self);

    /// Returns the socket without its runtime, or `None` if it is lost.
    fn into_std(self) -> Option<StdStream>;
}

/// The operations of a non-blocking TCP listener that an engine needs.
pub(crate) trait StreamListener {
    type Stream: StreamSocket;

    fn accept(&mut self) -> io::Result<(Self::Stream, SocketAddr)>;
}
