use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};

use quinn_udp::UdpSocketState;

use crate::limits::{BACKLOG, RECEIVE_BUFFER};
use crate::{DriverConfig, Transports};

/// Why there is no driver.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system gave no socket with that address.
    #[error("cannot bind a UDP socket to {local}: {source}")]
    Bind {
        /// The address that was asked for.
        local: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// The system does not let streams be accepted at that address.
    #[error("cannot listen on TCP address {local}: {source}")]
    Listen {
        /// The address that was asked for.
        local: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// No stream to that address came about in time.
    #[error("cannot connect to {to} over TCP: {source}")]
    Connect {
        /// The address that was asked for.
        to: SocketAddr,
        /// What the system said; [`io::ErrorKind::TimedOut`] if the deadline passed.
        source: io::Error,
    },
    /// The system gave a socket but did not let it be used as is needed.
    #[error("cannot set up a socket: {source}")]
    SetUp {
        /// What the system said.
        #[from]
        source: io::Error,
    },
}

/// So many free ports for TCP are tried, each of which may be taken for UDP.
const ATTEMPTS: usize = 16;

pub(crate) fn bind(local: SocketAddr) -> Result<UdpSocket, OpenError> {
    UdpSocket::bind(local).map_err(|source| OpenError::Bind { local, source })
}

/// Makes a socket one that does not block, with the buffers that are asked for.
pub(crate) fn set_up(socket: &UdpSocket, settings: &DriverConfig) -> Result<UdpSocketState, OpenError> {
    let state = UdpSocketState::new(socket.into())?;
    match settings.receive_buffer {
        Some(bytes) => state.set_recv_buffer_size(socket.into(), bytes)?,
        // Some systems refuse what is beyond their limit instead of granting less.
        None => drop(state.set_recv_buffer_size(socket.into(), RECEIVE_BUFFER)),
    }
    if let Some(bytes) = settings.send_buffer {
        state.set_send_buffer_size(socket.into(), bytes)?;
    }
    Ok(state)
}

/// A socket that accepts streams and does not block.
pub(crate) fn listen(local: SocketAddr) -> Result<TcpListener, OpenError> {
    let failed = |source| OpenError::Listen { local, source };
    let listener = TcpListener::bind(local).map_err(failed)?;
    // Where it is too late for that, the backlog is as the library has it.
    let _ = rustix::net::listen(&listener, BACKLOG);
    set_up_listener(&listener)?;
    Ok(listener)
}

pub(crate) fn set_up_listener(listener: &TcpListener) -> Result<(), OpenError> {
    Ok(listener.set_nonblocking(true)?)
}

/// Makes a stream one that does not block and does not wait for more to send.
pub(crate) fn set_up_stream(stream: &TcpStream) -> io::Result<()> {
    stream.set_nonblocking(true)?;
    stream.set_nodelay(true)
}

/// Sockets for what is asked for, on one port.
pub(crate) fn bind_all(
    local: SocketAddr,
    transports: Transports,
) -> Result<(Option<UdpSocket>, Option<TcpListener>), OpenError> {
    match transports {
        Transports::Udp => Ok((Some(bind(local)?), None)),
        Transports::Tcp => Ok((None, Some(listen(local)?))),
        Transports::UdpAndTcp => {
            let mut attempts = if local.port() == 0 { ATTEMPTS } else { 1 };
            loop {
                let listener = listen(local)?;
                attempts = attempts.saturating_sub(1);
                let mut same = local;
                same.set_port(listener.local_addr()?.port());
                match bind(same) {
                    Ok(socket) => return Ok((Some(socket), Some(listener))),
                    Err(error) if attempts == 0 => return Err(error),
                    Err(_) => {}
                }
            }
        }
    }
}
