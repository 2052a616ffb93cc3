use core::time::Duration;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use gamewire_machine::Instant;
#[cfg(feature = "tls")]
use gamewire_net::tls::{TlsAcceptor, TlsConnector};
use gamewire_net::{DriverConfig, OpenError, Transports};
use gamewire_riptide::SendError;
use gamewire_riptide::client::{Client, ClientConfig};
#[cfg(feature = "records")]
use gamewire_riptide::records::{self, ClientKey, Key};
#[cfg(feature = "records")]
use gamewire_riptide::server::RecordPolicy;
use gamewire_riptide::server::{Server, ServerConfig};
use gamewire_riptide::websocket::Target;

/// Default time to open a TCP stream.
const TCP_TIMEOUT: Duration = Duration::from_secs(5);

/// Default and minimum size of a socket's buffers, as in the C# library (seed 003, section 2.5).
const SOCKET_BUFFER: usize = 1 << 20;
const MIN_SOCKET_BUFFER: usize = 256 << 10;

/// Options of a server's sockets.
///
/// ```
/// use gamewire::riptide::ListenOptions;
///
/// let both = ListenOptions::port(7777);
/// let streams_of_this_machine = ListenOptions::address(([127, 0, 0, 1], 7777).into()).tcp();
/// ```
#[derive(Debug)]
pub struct ListenOptions {
    /// Address to listen on.
    pub local: SocketAddr,
    /// Transports. Default: UDP and TCP.
    pub transports: Transports,
    /// Accepts encrypted datagrams of clients that have this key, or a token's key made from it: see
    /// [`encrypted`](Self::encrypted).
    #[cfg(feature = "records")]
    pub encryption: Option<(Key, RecordPolicy)>,
    /// Configuration of the driver: a tap, buffer sizes, the conditions of the link. Buffers for datagrams have 1 MiB by
    /// default, and at least 256 KiB.
    pub driver: DriverConfig,
}

impl ListenOptions {
    /// Listens on a port of all IPv6 and IPv4 addresses. Port 0 selects a free port.
    pub fn port(port: u16) -> Self {
        // Some systems have no IPv6.
        match UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)) {
            Ok(_) => Self::address((Ipv6Addr::UNSPECIFIED, port).into()),
            Err(_) => Self::address((Ipv4Addr::UNSPECIFIED, port).into()),
        }
    }

    /// Listens on one address.
    pub fn address(local: SocketAddr) -> Self {
        Self {
            local,
            transports: Transports::default(),
            #[cfg(feature = "records")]
            encryption: None,
            driver: DriverConfig::default(),
        }
    }

    /// Listens over UDP only.
    #[must_use]
    pub fn udp(self) -> Self {
        Self { transports: Transports::Udp, ..self }
    }

    /// Accepts WebSockets, as of players in a browser, at a separate TCP address, if
    /// [`ServerConfig::websocket`](crate::riptide::server::ServerConfig::websocket) is set. With that alone, the server accepts
    /// them at the port for TCP.
    #[must_use]
    pub fn websocket(mut self, local: SocketAddr) -> Self {
        self.driver.also_listen.push(local);
        self
    }

    /// Accepts WebSockets over TLS (`wss`) at a separate TCP address, as
    /// [`websocket`](Self::websocket) does without TLS. Call [`TlsAcceptor::reload`] at an interval of a second or more, so
    /// that a renewed certificate is used.
    #[cfg(feature = "tls")]
    #[must_use]
    pub fn secure_websocket(mut self, local: SocketAddr, acceptor: TlsAcceptor) -> Self {
        self.driver.tls_listen.push((local, acceptor));
        self
    }

    /// Accepts encrypted datagrams of clients that have this key, or a token's key made from it. Their connections survive a
    /// change of their address. TCP and WebSockets without TLS are not encrypted.
    #[cfg(feature = "records")]
    #[must_use]
    pub fn encrypted(self, key: Key, policy: RecordPolicy) -> Self {
        Self { encryption: Some((key, policy)), ..self }
    }

    /// Creates a server machine, and returns it with the options of its sockets.
    pub(super) fn machine(&self, config: ServerConfig) -> Server {
        let server = Server::new(config, Instant::ZERO);
        #[cfg(feature = "records")]
        if let Some((key, policy)) = &self.encryption {
            let config = records::ServerConfig::default();
            return server
                .with_records(records::Server::new(key.clone(), config, crate::system::seed()), *policy);
        }
        server
    }

    /// Listens over TCP only.
    #[must_use]
    pub fn tcp(self) -> Self {
        Self { transports: Transports::Tcp, ..self }
    }
}

/// Options of a client's socket. The default is UDP.
#[derive(Debug)]
pub struct ConnectOptions {
    /// Maximum time to open a TCP stream; `None` connects over UDP.
    pub tcp_timeout: Option<Duration>,
    /// Opens a WebSocket for this target on the TCP stream.
    pub websocket: Option<Target>,
    /// Encrypts datagrams with this key: see [`encrypted`](Self::encrypted).
    #[cfg(feature = "records")]
    pub encryption: Option<ClientKey>,
    /// Configuration of the driver: a tap, buffer sizes, the conditions of the link. Buffers for datagrams have 1 MiB by
    /// default, and at least 256 KiB.
    pub driver: DriverConfig,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self::udp()
    }
}

impl ConnectOptions {
    /// Connects over UDP.
    pub fn udp() -> Self {
        Self {
            tcp_timeout: None,
            websocket: None,
            #[cfg(feature = "records")]
            encryption: None,
            driver: DriverConfig::default(),
        }
    }

    /// Connects over encrypted UDP. The connection survives a change of this client's address.
    #[cfg(feature = "records")]
    pub fn encrypted(key: ClientKey) -> Self {
        Self { encryption: Some(key), ..Self::udp() }
    }

    /// Connects over TCP. Blocks until the stream is open, for at most 5 seconds: see
    /// [`tcp_timeout`](Self::tcp_timeout).
    pub fn tcp() -> Self {
        Self { tcp_timeout: Some(TCP_TIMEOUT), ..Self::udp() }
    }

    /// Connects over a WebSocket, as players in a browser do. `host` is the name of the server with its port, for the
    /// request. Blocks as [`tcp`](Self::tcp) does.
    pub fn websocket(host: &str) -> Self {
        Self { websocket: Some(Target::new(host)), ..Self::tcp() }
    }

    /// Connects over a WebSocket over TLS (`wss`), as [`websocket`](Self::websocket) does without TLS. If the certificate is
    /// not trusted, the connection fails, and [`TlsConnector::last_error`] of a clone has the reason.
    #[cfg(feature = "tls")]
    pub fn secure_websocket(host: &str, connector: TlsConnector) -> Self {
        let mut options = Self::websocket(host);
        options.driver.tls_connect = Some(connector);
        options
    }

    /// Creates a client machine that connects to one of `servers`.
    pub(super) fn machine(&self, config: &ClientConfig, servers: &[SocketAddr]) -> Result<Client, SendError> {
        if let Some(target) = &self.websocket {
            let seed = crate::system::seed().first_chunk().copied().map_or(0, u64::from_le_bytes);
            return Client::connect_over_websocket(config, target, seed, Instant::ZERO);
        }
        #[cfg(feature = "records")]
        if let (Some(key), None) = (&self.encryption, self.tcp_timeout) {
            let servers = servers.iter().copied();
            let session = records::Client::new(key.clone(), servers, crate::system::seed(), Instant::ZERO);
            return Client::connect_over_records(config, session, Instant::ZERO);
        }
        match (self.tcp_timeout, servers) {
            (None, [server, others @ ..]) => {
                let client = Client::connect(config, *server, Instant::ZERO)?;
                Ok(client.with_alternatives(others.iter().copied()))
            }
            _ => Client::connect_over_transport(config, Instant::ZERO),
        }
    }
}

/// Returns a configuration with the buffer sizes of the C# library.
pub(super) fn with_buffers(config: DriverConfig) -> DriverConfig {
    let size = |wanted: Option<usize>| Some(wanted.unwrap_or(SOCKET_BUFFER).max(MIN_SOCKET_BUFFER));
    let (receive_buffer, send_buffer) = (size(config.receive_buffer), size(config.send_buffer));
    DriverConfig { receive_buffer, send_buffer, ..config }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_have_1_mib_and_at_least_256_kib() {
        for (wanted, size) in [(None, 1 << 20), (Some(1), 256 << 10), (Some(5 << 20), 5 << 20)] {
            let config =
                DriverConfig { receive_buffer: wanted, send_buffer: wanted, ..DriverConfig::default() };
            let config = with_buffers(config);
            assert_eq!((config.receive_buffer, config.send_buffer), (Some(size), Some(size)));
        }
    }
}
