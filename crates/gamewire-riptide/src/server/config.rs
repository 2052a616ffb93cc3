use core::time::Duration;

use super::relay_limits::{RelayBudget, RelayFilter};
use crate::Format;
use crate::connection::max_size;
use crate::extension::ExtensionConfig;
use crate::link::{ConnectionSettings, LinkConfig};
use crate::shared::version::MAX_PAYLOAD_SIZE;
use crate::websocket::WebSocketConfig;

/// Maximum client id. 65535 is not an id in the C# library.
const MAX_CLIENTS: u16 = 65_534;

/// Configuration of a server.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// Maximum number of clients (`MaxClientCount`), clamped to 1 to 65534.
    pub max_client_count: u16,
    /// The formats that clients may use. Default: both.
    pub formats: &'static [Format],
    /// Timers and limits of connections in format 2.0. A server sends its Welcome once, and once more for each repeated
    /// request ([`LinkConfig::handshake_send_attempts`]).
    pub link_v20: LinkConfig,
    /// Timers and limits of connections in format 2.1, as for 2.0.
    pub link_v21: LinkConfig,
    /// Initial settings of each client.
    pub settings: ConnectionSettings,
    /// Let the application decide on each connect request (`HandleConnection`), with
    /// [`Server::accept`](super::Server::accept) or [`Server::reject`](super::Server::reject). Otherwise the server
    /// accepts clients until it is full. Default: off.
    pub handle_connection: bool,
    /// Messages that are relayed to all other clients (`RelayFilter`). Default: none.
    pub relay_filter: RelayFilter,
    /// Rate limit of each client's relayed messages.
    pub relay_budget: RelayBudget,
    /// Drop messages of clients that have not echoed the Welcome; they resend reliable ones. Otherwise, as in the C#
    /// library, a forged address can send messages, and messages may arrive before the event of their client.
    /// Default: off.
    pub require_handshake: bool,
    /// Notify all clients of the others that connect and disconnect, as the C# library does. With n clients each
    /// receives n messages. Default: on.
    pub announce_clients: bool,
    /// Maximum half-open connections of one address (in IPv6 of one /56 network), and streams without a connect
    /// request. Default: no limit.
    pub max_half_open_per_ip: Option<usize>,
    /// Maximum half-open connections in total. Further connect requests are dropped, and streams closed.
    /// Default: 4096.
    ///
    /// Whatever the limits, the half-open connections of one address hold at most three quarters of the places that no
    /// connected client has. If a connect request finds no place, a half-open connection that is older than a second gives
    /// way to it; if there is none, the request is dropped, and the client repeats it. It is rejected only if connected
    /// clients have all places.
    pub max_half_open: usize,
    /// Time that an accepted client has to echo the Welcome, checked once a second. Default:
    /// [`ConnectionSettings::timeout_time`].
    pub handshake_timeout: Option<Duration>,
    /// Maximum datagrams that are sent to a client before it echoes the Welcome. Default: no limit other than one for each
    /// datagram of the client.
    pub max_sends_before_echo: Option<u16>,
    /// Number of copies of a Reject in 2.1 over datagrams. 2.0 sends one. Default: 1, because a client repeats its
    /// request; 3 in the C# library.
    pub reject_copies: u8,
    /// Time that a stream has for its connect request. At most 1024 streams wait for it, and 64 of one address (in IPv6
    /// of one /56 network); a further one replaces the oldest of them. Default: 10 s.
    pub stream_connect_timeout: Duration,
    /// Maximum bytes of the values of a message (`Message.MaxPayloadSize`); both ends must use the same. A packet has at
    /// most 65535 bytes in any case. Default: 1225.
    pub max_payload_size: usize,
    /// Answer the heartbeat of an address without a connection with a Disconnect, which is half as long. After a
    /// change of its address or a restart of the server, a client learns within a second that its session has ended,
    /// instead of after its timeout. The C# library is silent. Default: off.
    pub disconnect_unknown: bool,
    /// Emit events about the delivery of reliable and notify messages. Default: off.
    pub delivery_events: bool,
    /// Configuration of the extension: ordered delivery, and messages that are too long for a packet. Clients must have
    /// the extension, too. Default: off.
    pub extension: Option<ExtensionConfig>,
    /// Accept WebSockets, such as the connections of players in a browser, on the streams that begin with an upgrade
    /// request. A packet is a binary message. Default: off, which closes such streams.
    pub websocket: Option<WebSocketConfig>,
}

/// The defaults for at most 10 clients, as in the examples of the C# library.
impl Default for ServerConfig {
    fn default() -> Self {
        Self::new(10)
    }
}

impl ServerConfig {
    /// Returns the defaults of the C# library, except for fewer Welcomes to an address that does not reply.
    pub fn new(max_client_count: u16) -> Self {
        Self {
            max_client_count,
            formats: &Format::ALL,
            link_v20: LinkConfig { handshake_send_attempts: 1, ..LinkConfig::v20() },
            link_v21: LinkConfig { handshake_send_attempts: 1, ..LinkConfig::v21() },
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
            reject_copies: 1,
            stream_connect_timeout: Duration::from_secs(10),
            max_payload_size: MAX_PAYLOAD_SIZE,
            disconnect_unknown: false,
            delivery_events: false,
            extension: None,
            websocket: None,
        }
    }

    /// Tightens the limits for a server on the open internet. The server sends a forged address at most 2 datagrams and
    /// one Reject, drops its messages, and lets it hold a client id for at most 3 s. At most 8 connections of an
    /// address and 1024 in total are half open.
    #[must_use]
    pub const fn hardened(mut self) -> Self {
        self.require_handshake = true;
        self.max_half_open_per_ip = Some(8);
        self.max_half_open = 1_024;
        self.handshake_timeout = Some(Duration::from_secs(2));
        self.max_sends_before_echo = Some(2);
        self
    }

    pub(super) fn clients(&self) -> u16 {
        self.max_client_count.clamp(1, MAX_CLIENTS)
    }

    pub(super) const fn link(&self, format: Format) -> LinkConfig {
        match format {
            Format::V20 => self.link_v20,
            Format::V21 => self.link_v21,
        }
    }

    /// Returns the maximum bytes of a packet.
    pub(super) fn max_size(&self, format: Format) -> usize {
        max_size(format, self.max_payload_size)
    }

    /// Returns the settings of a client until it echoes the Welcome: it can always time out.
    pub(super) fn handshake_settings(&self) -> ConnectionSettings {
        let timeout_time = self.handshake_timeout.unwrap_or(self.settings.timeout_time);
        ConnectionSettings { can_timeout: true, timeout_time, ..self.settings }
    }
}
