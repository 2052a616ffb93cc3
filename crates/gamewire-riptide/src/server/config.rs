use core::time::Duration;

use super::RelayFilter;
use crate::Format;
use crate::extension::ExtensionConfig;
use crate::link::{ConnectionSettings, LinkConfig};
use crate::peer::max_size;
use crate::shared::version::MAX_PAYLOAD_SIZE;

/// The most clients that there are ids for.
const MOST_CLIENTS: u16 = 65_534;

/// What a server is and allows.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// How many clients there may be (`MaxClientCount`): 1 to 65534, what is beyond counts as that.
    pub max_client_count: u16,
    /// The formats that are spoken: both.
    pub formats: &'static [Format],
    /// Timers and limits of connections of 2.0. Unlike a client's, a Welcome is sent 3 times at
    /// most until the client answers or asks again ([`LinkConfig::unproven_send_attempts`]).
    pub link_v20: LinkConfig,
    /// The same for 2.1.
    pub link_v21: LinkConfig,
    /// What each client begins with.
    pub settings: ConnectionSettings,
    /// Whether the application decides who comes in (`HandleConnection`): then each question is an
    /// event, to be answered by [`Server::accept`](super::Server::accept) or
    /// [`Server::reject`](super::Server::reject). Without, everybody comes in for whom there is
    /// room.
    pub handle_connection: bool,
    /// Which messages are passed on to all other clients (`RelayFilter`): none.
    pub relay_filter: RelayFilter,
    /// How much of them is passed on for one client.
    pub relay_budget: RelayBudget,
    /// Whether messages count only from clients that have sent their Welcome back. Reliable ones
    /// come again then; without, as in the original, an address that is forged can send messages,
    /// and they may come before the event of the client that they are from.
    pub require_handshake: bool,
    /// Whether all clients are told who comes and goes, as the original does: with n clients that
    /// is n messages for each.
    pub announce_clients: bool,
    /// How many connections of one address (in IPv6 of one /64) may be half open, and how many of
    /// its streams may not have asked yet: any number.
    pub max_half_open_per_ip: Option<usize>,
    /// How many may be in all: 4096. Beyond, questions are dropped and streams closed.
    pub max_half_open: usize,
    /// How long an accepted client has for its answer: as long as any silence may last
    /// ([`ConnectionSettings::timeout_time`]). It is looked at once a second, as that is.
    pub handshake_timeout: Option<Duration>,
    /// How many datagrams a connection may be sent before the client answers the Welcome: any
    /// number, but no more than 3 and one for each that it sends.
    pub max_sends_before_echo: Option<u16>,
    /// How often a refusal of 2.1 is sent over datagrams: 3 times. In 2.0 it is once.
    pub reject_copies: u8,
    /// How long a stream may be open before it asks for a connection: 10 s.
    pub stream_connect_timeout: Duration,
    /// How many bytes the values of a message may take (`Message.MaxPayloadSize`): 1225. Both ends
    /// must have the same. A packet has at most 65535 bytes, whatever this is.
    pub max_payload_size: usize,
    /// Whether there are events for what became of reliable and notify messages.
    pub delivery_events: bool,
    /// Ordered delivery and messages over the limit of a packet, with clients that have this too.
    /// Off.
    pub extension: Option<ExtensionConfig>,
}

/// How much of one client's messages is passed on to all others: what is more is dropped. After a
/// rest a second's worth goes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RelayBudget {
    /// Messages of the client in a second: 2000.
    pub messages_per_second: u32,
    /// Bytes in a second, for all receivers together: 8 MiB. Each packet has 32 beside its payload.
    pub bytes_per_second: u32,
}

impl Default for RelayBudget {
    fn default() -> Self {
        Self { messages_per_second: 2_000, bytes_per_second: 8 << 20 }
    }
}

impl ServerConfig {
    /// A server as the original is, for so many clients, that sends a Welcome less often to an
    /// address that does not answer.
    #[must_use]
    pub fn new(max_client_count: u16) -> Self {
        Self {
            max_client_count,
            formats: &Format::ALL,
            link_v20: LinkConfig { handshake_send_attempts: 3, ..LinkConfig::v20() },
            link_v21: LinkConfig { handshake_send_attempts: 3, ..LinkConfig::v21() },
            settings: ConnectionSettings::default(),
            handle_connection: false,
            relay_filter: RelayFilter::new(),
            relay_budget: RelayBudget::default(),
            require_handshake: false,
            announce_clients: true,
            max_half_open_per_ip: None,
            max_half_open: 4_096,
            handshake_timeout: None,
            max_sends_before_echo: None,
            reject_copies: 3,
            stream_connect_timeout: Duration::from_secs(10),
            max_payload_size: MAX_PAYLOAD_SIZE,
            delivery_events: false,
            extension: None,
        }
    }

    /// The same for a server in the open: forged addresses are sent 2 datagrams at most and one
    /// refusal, can send no messages, and hold an id for 3 s at most; at most 8 connections of an
    /// address and 1024 in all are half open.
    #[must_use]
    pub const fn hardened(mut self) -> Self {
        self.link_v20.handshake_send_attempts = 1;
        self.link_v21.handshake_send_attempts = 1;
        self.require_handshake = true;
        self.max_half_open_per_ip = Some(8);
        self.max_half_open = 1_024;
        self.handshake_timeout = Some(Duration::from_secs(2));
        self.max_sends_before_echo = Some(2);
        self.reject_copies = 1;
        self
    }

    pub(super) fn clients(&self) -> u16 {
        self.max_client_count.clamp(1, MOST_CLIENTS)
    }

    pub(super) const fn link(&self, format: Format) -> LinkConfig {
        match format {
            Format::V20 => self.link_v20,
            Format::V21 => self.link_v21,
        }
    }

    /// The most bytes of a packet.
    pub(super) fn max_size(&self, format: Format) -> usize {
        max_size(format, self.max_payload_size)
    }

    /// What a client has until it has answered: then its silence always counts.
    pub(super) fn unproven_settings(&self) -> ConnectionSettings {
        let timeout_time = self.handshake_timeout.unwrap_or(self.settings.timeout_time);
        ConnectionSettings { can_timeout: true, timeout_time, ..self.settings }
    }
}
