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
    /// The packets of the protocol.
    pub definition: Definition,
    /// True if the client takes the version of the server, of those that are shipped, as its definition.
    pub any_version: bool,
    /// Name of the user.
    pub name: String,
    /// Capability string of the client.
    pub capabilities: String,
    /// Version of the client. A server only logs it.
    pub version: Version,
    /// Answer to the first request for a password. Without it, and if it was wrong,
    /// [`Event::PasswordRequested`](super::Event::PasswordRequested) asks the application.
    pub password: Option<String>,
    /// Description of the client, sent once it has joined.
    pub client_info: Option<ClientInfo>,
    /// Interval of heartbeats once joined; `None` for no heartbeats, which servers do not need. The graphical client
    /// sends one about every 14.5 seconds.
    pub heartbeat: Option<Duration>,
    /// Compression of packets that are polled together; `None` for none, as in the graphical client.
    pub compression: Option<CompressionLevel>,
    /// Maximum time without progress while joining. A step of the login is progress, and so are 4 KiB.
    pub login_timeout: Duration,
    /// Maximum time that the application takes to give a password.
    pub password_timeout: Duration,
    /// Maximum time without bytes from the server once joined. The server pings every 20 seconds.
    pub idle_timeout: Duration,
    /// Limits of the server's stream.
    pub frame_limits: FrameLimits,
    /// Limits of the baselines of each direction.
    pub delta_limits: DeltaLimits,
    /// Maximum bytes that the server's chunks inflate to within a second.
    pub max_inflated_bytes_per_second: u64,
    /// Maximum bytes that wait to be polled. No packet is sent while it is exceeded.
    pub max_send_queue_bytes: usize,
    /// True if each packet is emitted as [`Event::Packet`](super::Event::Packet), which copies it. Off by default:
    /// [`Client::handle_bytes_with`](super::Client::handle_bytes_with) lends the packets instead.
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

/// Returns the capability string that a definition names; that of 3.0 if it names none.
pub(in crate::session) fn capability_string(protocol: &Protocol) -> &str {
    match protocol.capability_string.as_str() {
        "" => ClientConfig::CAPABILITIES_3_0,
        named => named,
    }
}

impl Version {
    /// Returns the version that a definition names; 3.0.6 if it names none.
    pub(in crate::session) fn of(protocol: &Protocol) -> Self {
        Self { numbers: protocol.version.map_or([3, 0, 6], |version| version.0), label: String::new() }
    }
}

/// Description of a client program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// Kind of user interface (Freeciv's `gui_type`); 0 is none.
    pub gui: u8,
    /// Fourth number of the version.
    pub emergency_version: u32,
    /// Distributor of the program.
    pub distribution: String,
}

impl ClientConfig {
    /// The capability string of Freeciv 3.0.
    pub const CAPABILITIES_3_0: &'static str =
        "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32";

    /// Creates the configuration of a client that plays on servers of every shipped version: 3.0, 3.1 and 3.2. It sends
    /// nothing about itself but its name.
    pub fn new(name: impl Into<String>) -> Self {
        let definitions = ProtocolVersion::ALL.map(Definition::of);
        let capabilities =
            definitions.each_ref().map(|definition| definition.protocol().capability_string.as_str());
        // Without a mandatory one, so that each version ignores those of the others.
        let capabilities = capabilities.join(" ").replace('+', "");
        let [definition, ..] = definitions;
        Self { capabilities, any_version: true, ..Self::of(definition, name) }
    }

    /// Creates the configuration of a client of one version. Its capabilities are those that the definition names, or
    /// else those of 3.0.
    pub fn of(definition: Definition, name: impl Into<String>) -> Self {
        let protocol = definition.protocol();
        Self {
            name: name.into(),
            capabilities: capability_string(protocol).to_owned(),
            version: Version::of(protocol),
            definition,
            any_version: false,
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
