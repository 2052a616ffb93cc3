use core::time::Duration;
use std::io::{self, IoSliceMut, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;

use quinn_udp::{RecvMeta, Transmit, UdpSocketState};

use crate::limits::DRAIN_TIMEOUT;
use crate::queue::Singles;

/// A runtime that sockets are registered with.
pub trait SocketRuntime: Default {
    type Socket: DatagramSocket;
    type Listener: StreamListener;

    fn socket(socket: UdpSocket, state: UdpSocketState) -> io::Result<Self::Socket>;

    fn listener(listener: TcpListener) -> io::Result<Self::Listener>;

    fn stream(stream: TcpStream) -> io::Result<<Self::Listener as StreamListener>::Stream>;
}

/// The operations of a non-blocking UDP socket that an engine needs.
pub trait DatagramSocket {
    /// Fills buffers with the datagrams that have arrived and returns the number of buffers filled.
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize>;

    /// Passes a GSO batch to the system.
    fn send_batch(&self, transmit: &Transmit<'_>) -> io::Result<()>;

    /// Passes datagrams to the system, like [`send_each`](crate::send_each).
    fn send_each(&self, datagrams: Singles<'_>) -> io::Result<usize>;

    /// Returns the maximum number of datagrams in a GSO batch.
    fn max_gso_segments(&self) -> usize;
}

/// The operations of a non-blocking TCP stream that an engine needs.
pub trait StreamSocket {
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
pub trait StreamListener {
    type Stream: StreamSocket;

    fn accept(&mut self) -> io::Result<(Self::Stream, SocketAddr)>;
}

/// A stream's socket that belongs to no runtime.
pub struct StdStream(pub(crate) TcpStream);

impl StreamSocket for StdStream {
    const DRAIN_TIMEOUT: Duration = DRAIN_TIMEOUT;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.read(buffer)?;
        request_quick_ack(&self.0);
        Ok(count)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn finish(&mut self) {
        // A failure means that the peer is already disconnected.
        drop(self.0.shutdown(Shutdown::Write));
    }

    fn into_std(self) -> Option<Self> {
        Some(self)
    }
}

/// Asks the system to acknowledge received bytes immediately. A peer that writes twice without `TCP_NODELAY` delays
/// its second packet until the first is acknowledged, up to 40 ms on Linux. The system may forget the request, so it
/// is repeated after each read.
pub(crate) fn request_quick_ack(stream: &impl AsFd) {
    // Ignored, because a failure only costs time.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_quickack(stream, true);
    #[cfg(not(target_os = "linux"))]
    let _ = stream;
}
