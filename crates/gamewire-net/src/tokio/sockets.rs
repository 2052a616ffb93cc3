use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::io::{self, ErrorKind, IoSliceMut};
use std::net::SocketAddr;

use ::tokio::io::{AsyncWrite, Interest};
use ::tokio::net::{TcpListener, TcpStream, UdpSocket};
use quinn_udp::{RecvMeta, Transmit, UdpSocketState};

use crate::bind::request_quick_ack;
use crate::socket::StdStream;
use crate::socket::{DatagramSocket, StreamListener, StreamSocket};

pub(super) struct Socket {
    pub(super) socket: UdpSocket,
    pub(super) state: UdpSocketState,
}

impl TryFrom<(std::net::UdpSocket, UdpSocketState)> for Socket {
    type Error = io::Error;

    fn try_from((socket, state): (std::net::UdpSocket, UdpSocketState)) -> io::Result<Self> {
        Ok(Self { socket: UdpSocket::from_std(socket)?, state })
    }
}

impl DatagramSocket for Socket {
    fn receive(&self, buffers: &mut [IoSliceMut<'_>], meta: &mut [RecvMeta]) -> io::Result<usize> {
        let receive = || self.state.recv((&self.socket).into(), buffers, meta);
        self.socket.try_io(Interest::READABLE, receive)
    }

    fn send(&self, transmit: &Transmit<'_>) -> io::Result<()> {
        // Not through the runtime, which does not know at first that a socket is writable.
        self.state.try_send((&self.socket).into(), transmit)
    }

    fn max_gso_segments(&self) -> usize {
        self.state.max_gso_segments()
    }
}

pub(crate) struct Listener {
    listener: TcpListener,
    /// Streams that were accepted while waiting: the runtime has no other way to wait for that.
    accepted: Option<io::Result<(TcpStream, SocketAddr)>>,
}

impl TryFrom<std::net::TcpListener> for Listener {
    type Error = io::Error;

    fn try_from(listener: std::net::TcpListener) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::from_std(listener)?, accepted: None })
    }
}

impl Listener {
    /// Returns whether there is a stream to accept; if not, wakes the task when there is.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> bool {
        if self.accepted.is_none()
            && let Poll::Ready(accepted) = self.listener.poll_accept(context)
        {
            self.accepted = Some(accepted);
        }
        self.accepted.is_some()
    }
}

impl StreamListener for Listener {
    type Stream = TokioStream;

    fn accept(&mut self) -> io::Result<(TokioStream, SocketAddr)> {
        if !self.poll(&mut Context::from_waker(Waker::noop())) {
            return Err(ErrorKind::WouldBlock.into());
        }
        let (stream, peer) = self.accepted.take().unwrap_or_else(|| Err(ErrorKind::WouldBlock.into()))?;
        stream.set_nodelay(true)?;
        Ok((TokioStream(stream), peer))
    }
}

/// A stream's socket that is registered with the runtime.
pub(crate) struct TokioStream(pub(super) TcpStream);

impl TryFrom<std::net::TcpStream> for TokioStream {
    type Error = io::Error;

    fn try_from(stream: std::net::TcpStream) -> io::Result<Self> {
        Ok(Self(TcpStream::from_std(stream)?))
    }
}

impl TokioStream {
    /// Returns which of the requested directions are ready; if none is, wakes the task when one is.
    pub(super) fn poll(&self, context: &mut Context<'_>, read: bool, write: bool) -> (bool, bool) {
        // The next read or write returns the error.
        let can_read = read && self.0.poll_read_ready(context).is_ready();
        let can_write = write && self.0.poll_write_ready(context).is_ready();
        (can_read, can_write)
    }
}

impl StreamSocket for TokioStream {
    // A task must not block its thread.
    const DRAIN_TIMEOUT: Duration = Duration::ZERO;

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.0.try_read(buffer)?;
        request_quick_ack(&self.0);
        Ok(count)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn finish(&mut self) {
        // It completes immediately. A failure means that the peer is already disconnected.
        drop(Pin::new(&mut self.0).poll_shutdown(&mut Context::from_waker(Waker::noop())));
    }

    fn into_std(self) -> Option<StdStream> {
        self.0.into_std().ok().map(StdStream)
    }
}
