use ::core::time::Duration;

use gamewire_machine::EventLimits;
use gamewire_schema::ir::Protocol;

use crate::codec::ProtocolVersion;
use crate::delta::DeltaLimits;
use crate::frame::{CompressionLevel, FrameLimits};
use crate::session::codec::Definition;

/// Configuration of a client: definition, user, timeouts and limits.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// The packets of the protocol. A client with a shipped definition changes to the shipped definition of the version
    /// in the server's join reply.
    pub definition: Definition,
    /// Name of the user.
    pub name: String,
    /// Capability string of the client.
    pub capabilities: String,
    /// Version of the client. A server only logs it.
    pub version: Version,
    /// The password to send at the server's first password request. If it is `None`, or the server rejects it, the
    /// client emits [`Event::PasswordRequested`](super::Event::PasswordRequested).
    pub password: Option<String>,
    /// Description of the client, sent once it has joined.
    pub client_info: Option<ClientInfo>,
    /// Interval of heartbeats after joining, or `None` for no heartbeats, which servers do not need. The graphical
    /// client sends one about every 14.5 seconds.
    pub heartbeat: Option<Duration>,
    /// Compression of packets that are polled together, or `None` for no compression, as in the graphical client.
    pub compression: Option<CompressionLevel>,
    /// Maximum time without progress while joining. Progress is a step of the login, or 4 KiB of data.
    pub login_timeout: Duration,
    /// Maximum time in which the application must send a password.
    pub password_timeout: Duration,
    /// Maximum time without bytes from the server after joining. The server pings every 20 seconds.
    pub idle_timeout: Duration,
    /// Limits of the server's stream.
    pub frame_limits: FrameLimits,
    /// Limits of the baselines of each direction.
    pub delta_limits: DeltaLimits,
    /// Maximum bytes that the server's chunks may inflate to per second.
    pub max_inflated_bytes_per_second: u64,
    /// Maximum bytes in the send queue. No packet can be sent while it is exceeded.
    pub max_send_queue_bytes: usize,
    /// True if each packet is emitted as [`Event::Packet`](super::Event::Packet), which copies the packet. The default
    /// is false, because [`Client::handle_bytes_with`](super::Client::handle_bytes_with) passes the packets without
    /// copying.
    pub packet_events: bool,
    /// Bounds of the event queue.
    pub event_limits: EventLimits,
}

/// Version of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Major, minor and patch version, such as 3.0.6.
    pub numbers: [u32; 3],
    /// Suffix, such as `-beta1`.
    pub label: String,
}

/// Returns the capability string in a definition, or the capability string of 3.0 if the definition has none.
pub(in crate::session) fn capability_string(protocol: &Protocol) -> &str {
    match protocol.capability_string.as_str() {
        "" => ClientConfig::CAPABILITIES_3_0,
        named => named,
    }
}

impl Version {
    /// Returns the version in a definition, or 3.0.6 if the definition has none.
    pub(in crate::session) fn of(protocol: &Protocol) -> Self {
        Self { numbers: protocol.version.map_or([3, 0, 6], |version| version.0), label: String::new() }
    }
}

/// Description of a client program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// Kind of user interface (Freeciv's `gui_type`); 0 for none.
    pub gui: u8,
    /// Fourth number of the version.
    pub emergency_version: u32,
    /// Distributor of the program.
    pub distribution: String,
}

impl ClientConfig {
    /// Maximum number of events of a machine that keeps the state of the game and emits no packets. Events that are never
    /// dropped do not count.
    const MAX_STATE_EVENTS: usize = 4096;

    /// Returns the bounds of the events of a machine that keeps the state of the game. With packets, many events result
    /// from one read of the stream.
    pub(crate) fn state_event_limits(&self) -> EventLimits {
        if self.packet_events {
            return self.event_limits;
        }
        EventLimits { max_events: Self::MAX_STATE_EVENTS, ..EventLimits::default() }
    }

    /// The capability string of Freeciv 3.0.
    pub const CAPABILITIES_3_0: &'static str =
        "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32";

    /// Creates the configuration of a client for servers of every shipped version: 3.0, 3.1 and 3.2. The client sends
    /// its name and no other information about itself.
    pub fn new(name: impl Into<String>) -> Self {
        let definitions = ProtocolVersion::ALL.map(Definition::of);
        let capabilities =
            definitions.each_ref().map(|definition| definition.protocol().capability_string.as_str());
        // Make all capabilities optional, so that each version ignores the capabilities of the others.
        let capabilities = capabilities.join(" ").replace('+', "");
        let [definition, ..] = definitions;
        Self { capabilities, ..Self::of(definition, name) }
    }

    /// Creates the configuration of a client for one version. Its capabilities are the capability string of the
    /// definition, or of 3.0 if the definition has none.
    pub fn of(definition: Definition, name: impl Into<String>) -> Self {
        let protocol = definition.protocol();
        Self {
            name: name.into(),
            capabilities: capability_string(protocol).to_owned(),
            version: Version::of(protocol),
            definition,
            password: None,
            client_info: None,
            heartbeat: None,
            compression: None,
            login_timeout: Duration::from_secs(10),
            password_timeout: Duration::from_secs(300),
            idle_timeout: Duration::from_secs(90),
            frame_limits: FrameLimits::DEFAULT,
            delta_limits: DeltaLimits::DEFAULT,
            max_inflated_bytes_per_second: 16 << 20,
            max_send_queue_bytes: 1 << 20,
            packet_events: false,
            event_limits: EventLimits { max_events: 1 << 16, ..EventLimits::default() },
        }
    }
}
