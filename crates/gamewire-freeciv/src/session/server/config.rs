use ::core::time::Duration;

use gamewire_machine::EventLimits;

use crate::delta::DeltaLimits;
use crate::frame::{CompressionLevel, FrameLimits};
use crate::session::Capabilities;
use crate::session::client::{Version, capability_string};
use crate::session::codec::Definition;

/// Configuration of a server: definition, login, timeouts and limits.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The packets of the protocol.
    pub definition: Definition,
    /// Capability string of the server.
    pub capabilities: String,
    /// Version of the server.
    pub version: Version,
    /// Message in the accepting join reply.
    pub welcome: String,
    /// Message to each client with a valid join request.
    pub connect_message: Option<String>,
    /// The policy that decides which clients are accepted.
    pub login_policy: LoginPolicy,
    /// Compression of chunks.
    pub compression: CompressionLevel,
    /// Maximum number of clients, including clients that are logging in.
    pub max_clients: usize,
    /// Maximum number of clients that are logging in. At this limit, and at the limits `max_clients` and `max_per_ip`,
    /// a new client replaces the client that has sent no join request for the longest time.
    pub max_half_open: usize,
    /// Maximum number of clients from one address, in IPv6 from one /56 network.
    pub max_per_ip: usize,
    /// Maximum time until a client must send its join request.
    pub login_timeout: Duration,
    /// Maximum time for the application's decision and all password attempts of a client together.
    pub password_timeout: Duration,
    /// Interval of pings.
    pub ping_interval: Duration,
    /// Maximum time until a client must answer a ping.
    pub ping_timeout: Duration,
    /// Limits of a client's stream after it has joined.
    pub frame_limits: FrameLimits,
    /// Limits of the baselines of each direction, for each client.
    pub delta_limits: DeltaLimits,
    /// Maximum bytes that a client's chunks may inflate to per second.
    pub max_inflated_bytes_per_second: u64,
    /// Maximum bytes in the send queue of a client.
    pub max_send_queue_bytes: usize,
    /// Maximum number of queued requests of a client.
    pub max_queued_requests: usize,
    /// Bounds of the event queue. The server accepts no client while the queue is full.
    pub event_limits: EventLimits,
}

/// The policy that decides which clients are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoginPolicy {
    /// Every client with a valid name and compatible capabilities is accepted.
    Open,
    /// The application decides when it gets [`Event::LoginRequested`](super::Event::LoginRequested).
    Application,
}

/// The configuration, shared by all peers.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) config: ServerConfig,
    pub(super) capabilities: Capabilities,
}

impl ServerConfig {
    /// Limits of a client's stream before it has joined. They are large enough for a password.
    pub const LOGIN_LIMITS: FrameLimits =
        FrameLimits { packet: 4096, chunk: 4096, inflated: 8192, ratio: 100, depth: 1 };

    /// Creates the configuration of a server with the definition's version that accepts every client.
    pub fn new(definition: Definition) -> Self {
        let protocol = definition.protocol();
        Self {
            capabilities: capability_string(protocol).to_owned(),
            version: Version::of(protocol),
            definition,
            welcome: String::new(),
            connect_message: None,
            login_policy: LoginPolicy::Open,
            compression: CompressionLevel::DEFAULT,
            max_clients: 320,
            max_half_open: 64,
            max_per_ip: 16,
            login_timeout: Duration::from_secs(10),
            password_timeout: Duration::from_secs(300),
            ping_interval: Duration::from_secs(20),
            ping_timeout: Duration::from_secs(60),
            frame_limits: FrameLimits {
                packet: 4096,
                chunk: 64 << 10,
                inflated: 256 << 10,
                ratio: 100,
                depth: 1,
            },
            delta_limits: DeltaLimits::DEFAULT,
            max_inflated_bytes_per_second: 1 << 20,
            max_send_queue_bytes: 4 << 20,
            max_queued_requests: 1024,
            event_limits: EventLimits::default(),
        }
    }
}
