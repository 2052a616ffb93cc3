use ::core::time::Duration;

use crate::delta::DeltaLimits;
use crate::frame::{CompressionLevel, FrameLimits};
use crate::session::codec::Definition;

/// What a client calls itself, whom it says it is, and how long it waits.
#[derive(Clone, Debug)]
pub struct ClientConfig {
    /// Which packets there are.
    pub definition: Definition,
    /// The name of its user.
    pub name: String,
    /// Its capabilities, as they are sent.
    pub capabilities: String,
    /// Its version; a server notes it and no more.
    pub version: Version,
    /// What it answers when the server asks for a password the first time. Without one, and when
    /// that was wrong, an event asks for it.
    pub password: Option<String>,
    /// What it tells of itself once it has joined, if anything.
    pub client_info: Option<ClientInfo>,
    /// How often it sends a heartbeat once it has joined, if at all. The graphical client does so
    /// about every 14.5 seconds; a server needs none.
    pub heartbeat: Option<Duration>,
    /// Whether, and how hard, it compresses what is sent at once. The graphical client does not.
    pub compression: Option<CompressionLevel>,
    /// How long logging in may take without progress: a step of it, or 4 KiB.
    pub login_timeout: Duration,
    /// How long the application may take to answer with a password.
    pub password_timeout: Duration,
    /// How long the server may be silent once joined. It pings every 20 seconds.
    pub idle_timeout: Duration,
    /// What the server's stream may cost.
    pub frame_limits: FrameLimits,
    /// What the remembered packets of each direction may cost.
    pub delta_limits: DeltaLimits,
    /// How many bytes the server's chunks may inflate to within a second.
    pub max_inflated_bytes_per_second: u64,
    /// How many bytes to send may wait to be polled.
    pub max_send_queue_bytes: usize,
    /// How many events may wait to be polled. A whole chunk of a real server has less.
    pub max_events: usize,
}

/// A program's version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Three numbers, such as 3.0.6.
    pub numbers: [u32; 3],
    /// What follows them, such as `-beta1`.
    pub label: String,
}

/// What a client tells of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientInfo {
    /// The number of its kind of user interface; 0 is none.
    pub gui: u8,
    /// The fourth number of its version.
    pub emergency_version: u32,
    /// Who packed it.
    pub distribution: String,
}

impl ClientConfig {
    /// The capabilities of Freeciv 3.0.
    pub const CAPABILITIES_3_0: &'static str =
        "+Freeciv-3.0-network year32 plrculture32 pingfix researchclr cityculture32";

    /// A client of Freeciv 3.0.6 that tells nothing of itself but its name.
    #[must_use]
    pub fn new(definition: Definition, name: impl Into<String>) -> Self {
        Self {
            definition,
            name: name.into(),
            capabilities: Self::CAPABILITIES_3_0.to_owned(),
            version: Version { numbers: [3, 0, 6], label: String::new() },
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
            max_events: 1 << 16,
        }
    }
}
