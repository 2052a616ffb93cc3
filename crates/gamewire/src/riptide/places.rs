use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

use gamewire_net::{Conditions, Direction, DriverConfig, OpenError, Transports};
use gamewire_riptide::SendError;

/// Where a server is reached: a port on all addresses, over UDP and TCP, unless told otherwise.
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
    /// This port, on all addresses of IPv6 and IPv4. 0 is a free one.
    #[must_use]
    pub fn port(port: u16) -> Self {
        Self {
            local: BindAddress::Any(port),
            transports: Transports::default(),
            settings: DriverConfig::default(),
        }
    }

    /// This address alone.
    #[must_use]
    pub fn address(address: SocketAddr) -> Self {
        Self { local: BindAddress::At(address), ..Self::port(0) }
    }

    /// Over these transports. From the start it is both.
    #[must_use]
    pub const fn transports(mut self, transports: Transports) -> Self {
        self.transports = transports;
        self
    }

    /// With these settings of the driver: a tap, the sizes of buffers, a link that is bad in one
    /// direction.
    #[must_use]
    pub fn settings(mut self, settings: DriverConfig) -> Self {
        self.settings = settings;
        self
    }

    /// Makes the link bad in both directions, for trying a game: datagrams are delayed, lost and
    /// doubled before they reach the server and after they leave it. TCP stays as it is.
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

/// How a client reaches its server.
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
    /// Over UDP.
    #[must_use]
    pub fn udp() -> Self {
        Self { transport: ClientTransport::Udp, settings: DriverConfig::default() }
    }

    /// Over TCP. Connecting blocks until the stream is there, for at most `timeout`.
    #[must_use]
    pub fn tcp(timeout: Duration) -> Self {
        Self { transport: ClientTransport::Tcp { timeout }, settings: DriverConfig::default() }
    }

    /// With these settings of the driver: a tap, the sizes of buffers, a link that is bad in one
    /// direction.
    #[must_use]
    pub fn settings(mut self, settings: DriverConfig) -> Self {
        self.settings = settings;
        self
    }

    /// Makes the link bad in both directions, for trying a game: datagrams are delayed, lost and
    /// doubled. TCP stays as it is.
    #[must_use]
    pub fn conditions(mut self, conditions: Conditions) -> Self {
        self.settings = both(self.settings, conditions);
        self
    }
}

/// The address of this end of a client of `server`.
pub(super) const fn any_port(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0),
        SocketAddr::V6(_) => SocketAddr::new(std::net::IpAddr::V6(Ipv6Addr::UNSPECIFIED), 0),
    }
}

const fn both(settings: DriverConfig, conditions: Conditions) -> DriverConfig {
    settings.conditions(Direction::Incoming, conditions).conditions(Direction::Outgoing, conditions)
}

/// Why a client did not begin to connect.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The name of the server means no address.
    #[error("no address of the server is known: {0}")]
    Address(#[from] io::Error),
    /// There is no socket, or over TCP no stream.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// What the server is to be told with the question for a connection cannot be sent.
    #[error("the connect data cannot be sent: {0}")]
    Data(#[from] SendError),
}

/// The first address of a server.
pub(super) fn resolve(server: impl ToSocketAddrs) -> io::Result<SocketAddr> {
    let none = || io::Error::new(io::ErrorKind::NotFound, "the name has no address");
    server.to_socket_addrs()?.next().ok_or_else(none)
}
