use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use rustls::{ClientConnection, Connection, ServerConnection};

use super::{TlsAcceptor, TlsConnector};
use crate::limits::{GATHERED_BYTES, MAX_TLS_READS};
use crate::log::log;
use crate::socket::StreamSocket;

/// The TLS of one stream.
pub(crate) struct TlsSession {
    connection: Connection,
    /// The configuration of a client, which receives the error.
    connector: Option<TlsConnector>,
}

impl TlsSession {
    pub(crate) fn accept(acceptor: &TlsAcceptor) -> io::Result<Self> {
        Ok(Self::new(ServerConnection::new(acceptor.config()).map_err(io::Error::other)?, None))
    }

    pub(crate) fn connect(connector: &TlsConnector) -> io::Result<Self> {
        let (config, name) = (Arc::clone(&connector.config), connector.name.clone());
        let connection = ClientConnection::new(config, name).map_err(io::Error::other)?;
        Ok(Self::new(connection, Some(connector.clone())))
    }

    fn new(connection: impl Into<Connection>, connector: Option<TlsConnector>) -> Self {
        let mut connection = connection.into();
        connection.set_buffer_limit(Some(GATHERED_BYTES));
        Self { connection, connector }
    }

    pub(crate) fn is_handshaking(&self) -> bool {
        self.connection.is_handshaking()
    }

    /// Reads decrypted bytes. Returns 0 if the peer ended the stream, even without the closing alert of TLS: the protocols
    /// have their own lengths, so a machine notices that a stream was cut.
    pub(crate) fn read(&mut self, socket: &mut impl StreamSocket, buffer: &mut [u8]) -> io::Result<usize> {
        // Bounded, because a peer can send records without bytes for the machine. The poller reports the rest again.
        for _ in 0..MAX_TLS_READS {
            match self.connection.reader().read(buffer) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(0),
                result => return result,
            }
            self.connection.read_tls(&mut Socket(socket))?;
            if let Err(error) = self.connection.process_new_packets() {
                log!(warn, "TLS failed: {error}");
                if let Some(connector) = &self.connector {
                    connector.set_error(&error);
                }
                // An alert for the peer, which is of no use if it does not fit the socket's buffer.
                let _ = self.flush(socket);
                return Err(io::Error::new(ErrorKind::InvalidData, error));
            }
        }
        Err(ErrorKind::WouldBlock.into())
    }

    /// Encrypts bytes, after the handshake. Returns the number of bytes taken.
    pub(crate) fn write(&mut self, socket: &mut impl StreamSocket, bytes: &[u8]) -> io::Result<usize> {
        self.flush(socket)?;
        let count = self.connection.writer().write(bytes)?;
        match self.flush(socket) {
            Err(error) if error.kind() != ErrorKind::WouldBlock => Err(error),
            _ => Ok(count),
        }
    }

    pub(crate) fn flush(&mut self, socket: &mut impl StreamSocket) -> io::Result<()> {
        while self.connection.wants_write() {
            if self.connection.write_tls(&mut Socket(socket))? == 0 {
                return Err(ErrorKind::WriteZero.into());
            }
        }
        Ok(())
    }

    /// Announces the end of the sending direction.
    pub(crate) fn finish(&mut self, socket: &mut impl StreamSocket) {
        self.connection.send_close_notify();
        // Ignored, because the end of the stream announces it as well.
        let _ = self.flush(socket);
    }
}

/// A socket for the functions of `rustls`.
struct Socket<'a, C>(&'a mut C);

impl<C: StreamSocket> Read for Socket<'_, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl<C: StreamSocket> Write for Socket<'_, C> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
