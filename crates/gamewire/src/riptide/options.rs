use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use gamewire_machine::Instant;
use gamewire_net::{DriverConfig, OpenError, Transports};
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};

/// Options of a server's sockets.
#[derive(Debug)]
pub struct ListenOptions {
    /// Address to listen on.
    pub local: SocketAddr,
    /// Transports. Default: UDP and TCP.
    pub transports: Transports,
    /// Configuration of the driver: a tap, buffer sizes, the conditions of the link.
    pub driver: DriverConfig,
}

impl ListenOptions {
    /// Listens on a port of all addresses of IPv6 and IPv4. 0 is a free port.
    pub fn port(port: u16) -> Self {
        // Not every system has IPv6.
        match UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)) {
            Ok(_) => Self::address((Ipv6Addr::UNSPECIFIED, port).into()),
            Err(_) => Self::address((Ipv4Addr::UNSPECIFIED, port).into()),
        }
    }

    /// Listens on one address.
    pub fn address(local: SocketAddr) -> Self {
        Self { local, transports: Transports::default(), driver: DriverConfig::default() }
    }
}

/// Options of a client's socket.
#[derive(Debug)]
pub struct ConnectOptions {
    /// Maximum time to open a TCP stream; `None` connects over UDP.
    pub tcp_timeout: Option<Duration>,
    /// Configuration of the driver: a tap, buffer sizes, the conditions of the link.
    pub driver: DriverConfig,
}

impl ConnectOptions {
    /// Connects over UDP.
    pub fn udp() -> Self {
        Self { tcp_timeout: None, driver: DriverConfig::default() }
    }

    /// Connects over TCP. Blocks until the stream is open, for at most `timeout`.
    pub fn tcp(timeout: Duration) -> Self {
        Self { tcp_timeout: Some(timeout), driver: DriverConfig::default() }
    }

    /// Creates the machine of a client of `server`.
    pub(super) fn machine(&self, config: &ClientConfig, server: SocketAddr) -> Result<Client, SendError> {
        match self.tcp_timeout {
            None => Client::connect(config, server, Instant::ZERO),
            Some(_) => Client::connect_over_transport(config, Instant::ZERO),
        }
    }
}

/// The reason why a client did not start to connect.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The server's name has no address.
    #[error("cannot resolve the server's address: {0}")]
    Address(#[from] io::Error),
    /// The socket or the stream cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The connect data do not fit a packet.
    #[error("the connect data cannot be sent: {0}")]
    Data(#[from] SendError),
}
