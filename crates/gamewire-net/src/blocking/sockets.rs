use std::io::{self, IoSliceMut};
use std::net::{SocketAddr, TcpListener, UdpSocket};

use quinn_udp::{RecvMeta, Transmit, UdpSocketState};

use crate::bind::set_up_stream;
use crate::socket::{DatagramSocket, StdStream, StreamListener};

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
