use ::core::time::Duration;

use crate::delta::DeltaLimits;
use crate::frame::{CompressionLevel, FrameLimits};
use crate::session::client::{ClientConfig, Version};
use crate::session::codec::Definition;

/// What a server says it is, whom it lets in, and how long it waits.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Which packets there are.
    pub definition: Definition,
    /// Its capabilities, as they are sent.
    pub capabilities: String,
    /// Its version.
    pub version: Version,
    /// What it says to whom it has let in.
    pub welcome: String,
    /// What it says to whoever asks to be let in, if anything.
    pub connect_message: Option<String>,
    /// Who decides about who is let in.
    pub admission: LoginPolicy,
    /// How hard it compresses.
    pub compression: CompressionLevel,
    /// How many clients there may be, those that are logging in included.
    pub max_clients: usize,
    /// How many of them may be logging in.
    pub max_half_open: usize,
    /// How many may come from one address.
    pub max_per_ip: usize,
    /// How long a client may take for its join request.
    pub login_deadline: Duration,
    /// How long a client may take to find its password, all tries together.
    pub password_deadline: Duration,
    /// How often it pings clients.
    pub ping_interval: Duration,
    /// How long a ping may go unanswered.
    pub ping_timeout: Duration,
    /// What a client's stream may cost once it is let in.
    pub frame_limits: FrameLimits,
    /// What the remembered packets of each direction may cost, for each client.
    pub delta_limits: DeltaLimits,
    /// How many bytes a client's chunks may inflate to within a second.
    pub inflated_per_second: u64,
    /// How many bytes may wait to be polled for a client.
    pub send_queue: usize,
    /// How many requests of a client may wait for their turn.
    pub max_queued_requests: usize,
}

/// Who decides about who is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoginPolicy {
    /// Nobody: everyone with a proper name and the right capabilities is.
    Open,
    /// The application: [`Event::Asking`](super::Event::Asking).
    Application,
}

impl ServerConfig {
    /// What a client's stream may cost before it is let in: no more than a password.
    pub const LOGIN_LIMITS: FrameLimits =
        FrameLimits { packet: 4096, chunk: 4096, inflated: 8192, ratio: 100, depth: 1 };

    /// A server of Freeciv 3.0.6 that lets everyone in.
    #[must_use]
    pub fn new(definition: Definition) -> Self {
        Self {
            definition,
            capabilities: ClientConfig::CAPABILITIES_3_0.to_owned(),
            version: Version { numbers: [3, 0, 6], label: String::new() },
            welcome: String::new(),
            connect_message: None,
            admission: LoginPolicy::Open,
            compression: CompressionLevel::DEFAULT,
            max_clients: 320,
            max_half_open: 64,
            max_per_ip: 16,
            login_deadline: Duration::from_secs(10),
            password_deadline: Duration::from_secs(300),
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
            inflated_per_second: 1 << 20,
            send_queue: 4 << 20,
            max_queued_requests: 1024,
        }
    }
}
