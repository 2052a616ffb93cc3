use core::fmt;
use std::net::SocketAddr;

#[cfg(feature = "tls")]
use crate::tls::{TlsAcceptor, TlsConnector};
use crate::{Conditions, Tap};

/// The transports of a listening driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transports {
    /// Datagrams only.
    Udp,
    /// Streams only.
    Tcp,
    /// Both, on the same port.
    #[default]
    UdpAndTcp,
}

impl fmt::Display for Transports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Udp => "udp",
            Self::Tcp => "tcp",
            Self::UdpAndTcp => "udp and tcp",
        })
    }
}

/// Configuration of a driver. The default has no tap, no impairment and the default limits.
#[derive(Debug, Default)]
pub struct DriverConfig {
    /// Receives every datagram that the driver sends or receives, and the bytes of streams.
    pub tap: Option<Box<dyn Tap + Send>>,
    /// Link conditions of incoming datagrams.
    pub incoming: Option<Conditions>,
    /// Link conditions of outgoing datagrams.
    pub outgoing: Option<Conditions>,
    /// Seed of the link conditions. Equal seeds give equal losses and delays.
    pub seed: u64,
    /// Requested bytes of the receive buffer for datagrams. The system may grant less. Default:
    /// [`RECEIVE_BUFFER`](crate::limits::RECEIVE_BUFFER).
    pub receive_buffer: Option<usize>,
    /// Requested bytes of the send buffer for datagrams. The system may grant less.
    pub send_buffer: Option<usize>,
    /// Further TCP addresses to accept streams at, such as one for WebSockets; their streams go to the same machine.
    /// [`Driver::also_local_addrs`](crate::Driver::also_local_addrs) returns them with their ports. Default: none.
    pub also_listen: Vec<SocketAddr>,
    /// Further TCP addresses to accept TLS streams at. [`Driver::also_local_addrs`](crate::Driver::also_local_addrs)
    /// returns their ports after the addresses of `also_listen`. Default: none.
    #[cfg(feature = "tls")]
    pub tls_listen: Vec<(SocketAddr, TlsAcceptor)>,
    /// Encrypts the stream that the driver opens. Default: none.
    #[cfg(feature = "tls")]
    pub tls_connect: Option<TlsConnector>,
    /// Maximum time of the handshake of TLS. Default:
    /// [`TLS_HANDSHAKE_TIMEOUT`](crate::limits::TLS_HANDSHAKE_TIMEOUT).
    #[cfg(feature = "tls")]
    pub tls_handshake_timeout: Option<core::time::Duration>,
    /// Maximum number of open streams. Further ones wait in the accept queue of the system until others are closed.
    /// Default: [`MAX_STREAMS`](crate::limits::MAX_STREAMS).
    pub max_streams: Option<usize>,
    /// Maximum number of unsent bytes of a stream. A stream with more is closed. Default:
    /// [`MAX_STREAM_QUEUED_BYTES`](crate::limits::MAX_STREAM_QUEUED_BYTES).
    pub stream_send_buffer: Option<usize>,
}

impl DriverConfig {
    /// Sets the link conditions for datagrams in both directions.
    #[must_use]
    pub fn impair(self, conditions: Conditions) -> Self {
        Self { incoming: Some(conditions), outgoing: Some(conditions), ..self }
    }
}

impl fmt::Debug for dyn Tap + Send {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tap")
    }
}
