use core::time::Duration;
use std::io::{self, IoSliceMut, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};

use quinn_udp::{RecvMeta, Transmit, UdpSocketState};

use crate::bind::{request_quick_ack, set_up_stream};
use crate::limits::DRAIN_TIMEOUT;
use crate::socket::{DatagramSocket, StreamListener, StreamSocket};

pub(super) struct Socket {
    pub(super) socket: UdpSocket,
    pub(super) state: UdpSocketState,
}

impl TryFrom<(UdpSocket, UdpSocketState)> for Socket {
    type Error = io::Error;

    fn try_from((socket, state): (UdpSocket, UdpSocketState)) -> io::Result<Self> {
        Ok(Self { socket, state })
    }
}

impl DatagramSocket for Socket {
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize> {
        self.state.recv((&self.socket).into(), buffers, meta)
    }

    fn send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        self.state.try_send((&self.socket).into(), transmit)
    }

    fn max_gso_segments(&self) -> usize {
        self.state.max_gso_segments()
    }
}

pub(crate) struct Listener(pub(super) TcpListener);

impl TryFrom<TcpListener> for Listener {
    type Error = io::Error;

    fn try_from(listener: TcpListener) -> io::Result<Self> {
        Ok(Self(listener))
    }
}

impl StreamListener for Listener {
    type Stream = StdStream;

    fn accept(&mut self) -> io::Result<(StdStream, SocketAddr)> {
        let (stream, peer) = self.0.accept()?;
        set_up_stream(&stream)?;
        Ok((StdStream(stream), peer))
    }
}

/// A stream's socket that belongs to no runtime.
pub(crate) struct StdStream(pub(crate) TcpStream);

impl TryFrom<TcpStream> for StdStream {
    type Error = io::Error;

    fn try_from(stream: TcpStream) -> io::Result<Self> {
        Ok(Self(stream))
    }
}

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
