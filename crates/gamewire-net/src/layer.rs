use std::io;
use std::net::SocketAddr;

use crate::DriverConfig;
use crate::socket::StreamSocket;
#[cfg(feature = "tls")]
use crate::tls::{TlsAcceptor, TlsConnector, TlsSession};

/// The layer between a machine and the socket of a stream.
pub(crate) enum Layer {
    /// Nothing.
    Plain,
    #[cfg(feature = "tls")]
    Tls(Box<TlsSession>),
}

/// A listener, the address that it is bound to, and the layers of its streams.
pub(crate) struct BoundListener<L> {
    pub(crate) socket: L,
    pub(crate) local: SocketAddr,
    pub(crate) layers: LayerFactory,
}

/// Creates the layers of new streams.
#[derive(Debug, Default)]
pub(crate) enum LayerFactory {
    #[default]
    Plain,
    #[cfg(feature = "tls")]
    Accept(TlsAcceptor),
    #[cfg(feature = "tls")]
    Connect(TlsConnector),
}

impl LayerFactory {
    /// Returns the factory for the stream that the driver opens.
    pub(crate) fn of_client(config: &DriverConfig) -> Self {
        #[cfg(feature = "tls")]
        if let Some(connector) = &config.tls_connect {
            return Self::Connect(connector.clone());
        }
        let _ = config;
        Self::Plain
    }

    pub(crate) fn open(&self) -> io::Result<Layer> {
        match self {
            Self::Plain => Ok(Layer::Plain),
            #[cfg(feature = "tls")]
            Self::Accept(acceptor) => Ok(Layer::Tls(Box::new(TlsSession::accept(acceptor)?))),
            #[cfg(feature = "tls")]
            Self::Connect(connector) => Ok(Layer::Tls(Box::new(TlsSession::connect(connector)?))),
        }
    }
}

impl Layer {
    /// Returns whether a handshake must complete before bytes of the machine are sent.
    pub(crate) fn is_handshaking(&self) -> bool {
        match self {
            Self::Plain => false,
            #[cfg(feature = "tls")]
            Self::Tls(session) => session.is_handshaking(),
        }
    }

    /// Reads bytes for the machine. Returns 0 at the end of the stream.
    pub(crate) fn read(&mut self, socket: &mut impl StreamSocket, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain => socket.read(buffer),
            #[cfg(feature = "tls")]
            Self::Tls(session) => session.read(socket, buffer),
        }
    }

    /// Takes bytes of the machine. Returns the number of bytes taken; some may still have to be [flushed](Self::flush).
    pub(crate) fn write(&mut self, socket: &mut impl StreamSocket, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain => socket.write(bytes),
            #[cfg(feature = "tls")]
            Self::Tls(session) => session.write(socket, bytes),
        }
    }

    /// Passes the layer's own bytes to the socket. Returns [`io::ErrorKind::WouldBlock`] if some remain.
    pub(crate) fn flush(&mut self, socket: &mut impl StreamSocket) -> io::Result<()> {
        let _ = &socket;
        match self {
            Self::Plain => Ok(()),
            #[cfg(feature = "tls")]
            Self::Tls(session) => session.flush(socket),
        }
    }

    /// Shuts down the sending direction.
    pub(crate) fn finish(&mut self, socket: &mut impl StreamSocket) {
        #[cfg(feature = "tls")]
        if let Self::Tls(session) = self {
            session.finish(socket);
        }
        socket.finish();
    }
}
