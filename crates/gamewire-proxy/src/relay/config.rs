use core::fmt;
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_sim::Conditions;

use crate::traffic::Transport;
use crate::{Session, Side, Transparent};

/// Makes the session of each new client.
pub type SessionFactory = Box<dyn FnMut(Instant, SocketAddr, Transport) -> Box<dyn Session> + Send>;

/// The settings of a proxy.
pub struct RelayConfig {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// The server.
    pub server: SocketAddr,
    /// True if datagrams are relayed.
    pub udp: bool,
    /// True if streams are relayed.
    pub tcp: bool,
    /// When clients are forgotten.
    pub timeouts: Timeouts,
    /// Limits of the number of clients.
    pub limits: Limits,
    /// The link to the server and the one to the clients; `None` for an undisturbed one.
    pub conditions: [Option<Conditions>; 2],
    /// Decides what the links lose.
    pub seed: u64,
    /// Makes the sessions.
    pub sessions: SessionFactory,
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
            sessions: Box::new(|_, _, _| Box::new(Transparent::new())),
        }
    }

    /// Returns the same settings with conditions on the link to `to`.
    #[must_use]
    pub fn with_conditions(mut self, to: Side, conditions: Conditions) -> Self {
        let [to_server, to_client] = &mut self.conditions;
        *match to {
            Side::Server => to_server,
            Side::Client => to_client,
        } = Some(conditions);
        self
    }
}

impl fmt::Debug for RelayConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { listen, server, udp, tcp, timeouts, limits, conditions, seed, sessions: _ } = self;
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

/// When a client that sends datagrams is forgotten. A stream has an end of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// After the last datagram of either side, before the client has answered the server.
    pub unproven: Duration,
    /// After the last datagram of either side, once it has.
    pub idle: Duration,
}

impl Default for Timeouts {
    /// The idle time is longer than that after which any of the games closes a connection.
    fn default() -> Self {
        Self { unproven: Duration::from_secs(5), idle: Duration::from_secs(120) }
    }
}

/// Limits of the number of clients. Each has a socket of its own towards the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// All clients.
    pub clients: usize,
    /// Clients that have not answered the server yet: a sender with a false address never does. The oldest gives way
    /// to a new one.
    pub unproven: usize,
    /// New clients a second, after a burst of [`Self::clients`].
    pub new_clients_per_second: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { clients: 4_096, unproven: 1_024, new_clients_per_second: 256 }
    }
}

/// Bytes of a stream that wait for one side; the other side is not read meanwhile.
pub(super) const STREAM_WAITING: usize = 256 << 10;
/// Time in which a stream may still deliver what waits after the other side has ended its own.
pub(super) const LINGER: Duration = Duration::from_secs(10);
/// Bytes that are read from one stream before the next one.
pub(super) const READ_BYTES: usize = 16 << 10;
/// Requested receive buffer of the socket of all clients, and of the socket of one client.
pub(super) const LISTEN_BUFFER: usize = 4 << 20;
/// Interval between two searches for clients that are idle.
pub(super) const SWEEP: Duration = Duration::from_millis(500);
/// Time until the watcher gets what was seen.
pub(super) const FLUSH: Duration = Duration::from_micros(1000);
