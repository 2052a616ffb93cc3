use core::fmt;
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_sim::Conditions;

use crate::{Bridge, Transparent};

/// Creates the bridge of each new client.
pub type BridgeFactory = Box<dyn FnMut(Instant, NewClient) -> Box<dyn Bridge> + Send>;

/// A client that gets a bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewClient {
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address, for this client.
    pub server: SocketAddr,
    /// The client's transport.
    pub transport: Transport,
}

/// The settings of a proxy.
pub struct RelayConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// True to relay datagrams.
    pub udp: bool,
    /// True to relay streams.
    pub tcp: bool,
    /// Timeouts after which clients are removed.
    pub timeouts: Timeouts,
    /// Limits on the number of clients.
    pub limits: Limits,
    /// Conditions of the links to the server and to the clients. A link with `None` is perfect.
    pub conditions: [Option<Conditions>; 2],
    /// Seed of the generator that decides which datagrams the links lose.
    pub seed: u64,
    /// Creates the bridges.
    pub bridges: BridgeFactory,
}

impl RelayConfig {
    /// Returns the settings of a transparent proxy for datagrams and streams.
    pub fn new(listen: SocketAddr, server: SocketAddr) -> Self {
        Self {
            listen,
            server,
            udp: true,
            tcp: true,
            timeouts: Timeouts::default(),
            limits: Limits::default(),
            conditions: [None; 2],
            seed: 0,
            bridges: Box::new(|_, _| Box::new(Transparent::new())),
        }
    }

    /// Sets the conditions of the link to `to`.
    #[must_use]
    pub fn with_conditions(mut self, to: Role, conditions: Conditions) -> Self {
        let [to_server, to_client] = &mut self.conditions;
        *match to {
            Role::Server => to_server,
            Role::Client => to_client,
        } = Some(conditions);
        self
    }
}

impl fmt::Debug for RelayConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listen, server, udp, tcp, timeouts, limits, conditions, seed, bridges: _ } = self;
        f.debug_struct("RelayConfig")
            .field("listen", listen)
            .field("server", server)
            .field("udp", udp)
            .field("tcp", tcp)
            .field("timeouts", timeouts)
            .field("limits", limits)
            .field("conditions", conditions)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}

/// Timeouts of clients. The proxy removes a TCP client when its streams end, or if it sends nothing at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Timeout of a client that has not answered the server, from the last datagram of either side. Over TCP, timeout
    /// of a client that has not sent anything.
    pub unproven: Duration,
    /// Timeout of a UDP client that has answered the server, from the last datagram of either side.
    pub idle: Duration,
}

impl Default for Timeouts {
    /// The default idle timeout is longer than the connection timeout of each game.
    fn default() -> Self {
        Self { unproven: Duration::from_secs(5), idle: Duration::from_secs(120) }
    }
}

/// Limits on the number of clients. Each client needs a separate socket to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of clients.
    pub clients: usize,
    /// Maximum number of clients of one address, in IPv6 of one network
    /// ([`limited_network`](gamewire_machine::limited_network)): TCP clients, and UDP clients that have answered the server.
    pub clients_per_address: usize,
    /// Maximum number of clients that have not answered the server: a sender with a forged address never answers. At
    /// the limit, a new client replaces the oldest of them.
    pub unproven: usize,
    /// Maximum rate of new clients per second, after a burst of [`Self::clients`].
    pub new_clients_per_second: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { clients: 4_096, clients_per_address: 512, unproven: 1_024, new_clients_per_second: 256 }
    }
}

/// Maximum number of bytes queued for one stream. Above it, the proxy does not read the other stream.
pub(super) const MAX_STREAM_WAITING: usize = 256 << 10;
/// Maximum time to send the queued bytes of a stream after the other stream has ended.
pub(super) const LINGER: Duration = Duration::from_secs(10);
/// Maximum number of bytes read from one stream before the next stream is served.
pub(super) const MAX_READ_BYTES: usize = 16 << 10;
/// Requested size of the receive buffer of the socket that all clients share.
pub(super) const LISTEN_BUFFER: usize = 4 << 20;
/// Interval between two searches for idle clients.
pub(super) const SWEEP: Duration = Duration::from_millis(500);
/// Maximum delay before packets are passed to the watcher.
pub(super) const FLUSH: Duration = Duration::from_micros(1000);
