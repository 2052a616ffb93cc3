use std::io;
use std::net::{SocketAddr, UdpSocket};

use quinn_udp::UdpSocketState;

use crate::Settings;
use crate::limits::RECEIVE_BUFFER;

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

pub(crate) fn bind(local: SocketAddr) -> Result<UdpSocket, OpenError> {
    UdpSocket::bind(local).map_err(|source| OpenError::Bind { local, source })
}

/// Makes a socket one that does not block, with the buffers that are asked for.
pub(crate) fn set_up(socket: &UdpSocket, settings: &Settings) -> Result<UdpSocketState, OpenError> {
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
