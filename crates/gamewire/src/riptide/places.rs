use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

use gamewire_net::{Conditions, Direction, DriverConfig, OpenError, Transports};
use gamewire_riptide::SendError;

/// Options of a server's sockets. The default is a port on all addresses, over UDP and TCP.
#[derive(Debug)]
pub struct ListenOptions {
    pub(super) local: BindAddress,
    pub(super) transports: Transports,
    pub(super) settings: DriverConfig,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum BindAddress {
    /// A port on all addresses.
    Any(u16),
    At(SocketAddr),
}

impl ListenOptions {
    /// Listens on a port of all addresses of IPv6 and IPv4. 0 is a free port.
    #[must_use]
    pub fn port(port: u16) -> Self {
        Self {
            local: BindAddress::Any(port),
            transports: Transports::default(),
            settings: DriverConfig::default(),
        }
    }

    /// Listens on one address.
    #[must_use]
    pub fn address(address: SocketAddr) -> Self {
        Self { local: BindAddress::At(address), ..Self::port(0) }
    }

    /// Selects the transports. The default is both.
    #[must_use]
    pub const fn transports(mut self, transports: Transports) -> Self {
        self.transports = transports;
        self
    }

    /// Sets the driver's options: a tap, buffer sizes, the conditions of the link in one direction.
    #[must_use]
    pub fn settings(mut self, settings: DriverConfig) -> Self {
        self.settings = settings;
        self
    }

    /// Impairs the link in both directions, to try a game: datagrams are delayed, lost and duplicated before they reach the
    /// server and after they leave it. TCP is not impaired.
    #[must_use]
    pub fn conditions(mut self, conditions: Conditions) -> Self {
        self.settings = both(self.settings, conditions);
        self
    }
}

impl BindAddress {
    pub(super) fn address(self) -> SocketAddr {
        match self {
            Self::At(address) => address,
            // Not every system has IPv6.
            Self::Any(port) => match UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)) {
                Ok(_) => (Ipv6Addr::UNSPECIFIED, port).into(),
                Err(_) => (Ipv4Addr::UNSPECIFIED, port).into(),
            },
        }
    }
}

/// Options of a client's socket.
#[derive(Debug)]
pub struct ConnectOptions {
    pub(super) transport: ClientTransport,
    pub(super) settings: DriverConfig,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ClientTransport {
    Udp,
    Tcp { timeout: Duration },
}

impl ConnectOptions {
    /// Connects over UDP.
    #[must_use]
    pub fn udp() -> Self {
        Self { transport: ClientTransport::Udp, settings: DriverConfig::default() }
    }

    /// Connects over TCP. Blocks until the stream is open, for at most `timeout`.
    #[must_use]
    pub fn tcp(timeout: Duration) -> Self {
        Self { transport: ClientTransport::Tcp { timeout }, settings: DriverConfig::default() }
    }

    /// Sets the driver's options: a tap, buffer sizes, the conditions of the link in one direction.
    #[must_use]
    pub fn settings(mut self, settings: DriverConfig) -> Self {
        self.settings = settings;
        self
    }

    /// Impairs the link in both directions, to try a game: datagrams are delayed, lost and duplicated. TCP is not impaired.
    #[must_use]
    pub fn conditions(mut self, conditions: Conditions) -> Self {
        self.settings = both(self.settings, conditions);
        self
    }
}

/// Returns the local address for a client of `server`.
pub(super) const fn any_port(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0),
        SocketAddr::V6(_) => SocketAddr::new(std::net::IpAddr::V6(Ipv6Addr::UNSPECIFIED), 0),
    }
}

const fn both(settings: DriverConfig, conditions: Conditions) -> DriverConfig {
    settings.conditions(Direction::Incoming, conditions).conditions(Direction::Outgoing, conditions)
}

/// The reason why a client did not start to connect.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The server's name has no address.
    #[error("no address of the server is known: {0}")]
    Address(#[from] io::Error),
    /// The socket or the stream cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The connect data do not fit a packet.
    #[error("the connect data cannot be sent: {0}")]
    Data(#[from] SendError),
}

/// Returns the first address of a server.
pub(super) fn resolve(server: impl ToSocketAddrs) -> io::Result<SocketAddr> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    server.to_socket_addrs()?.next().ok_or_else(none)
}
