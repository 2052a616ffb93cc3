//! The client role, over datagrams, a stream or the application's own transport.
//!
//! ```
//! use gamewire_machine::{Instant, Machine};
//! use gamewire_riptide::client::{Client, ClientConfig, Event};
//! use gamewire_riptide::{Format, Message, MessageSendMode, PacketMachine};
//!
//! let (now, mut packet) = (Instant::ZERO, Vec::new());
//! let mut client = Client::connect_over_transport(&ClientConfig::new(Format::V21), now)?;
//! client.handle_timeout(now);
//! assert!(client.poll_packet(now, &mut packet).is_some());
//! assert_eq!(packet, [0x02]);
//!
//! // The server's Welcome to client 1.
//! client.handle_packet(now, (), &[0x18, 0x00, 0x10, 0x00, 0x00])?;
//! assert!(matches!(client.poll_event(), Some(Event::Connected { id }) if id.0 == 1));
//! client.send(Message::create(MessageSendMode::Reliable, 10_u16).add_int(5))?;
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

mod command;
mod commands;
mod config;
mod event;
mod machine;
mod receive;
#[cfg_attr(not(feature = "records"), path = "client/record_layer/absent.rs")]
mod record_layer;
#[cfg_attr(not(feature = "records"), path = "client/records/absent.rs")]
mod records;
mod rejoin;
mod session;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests;
mod websocket;

pub use command::{Command, ExecuteError};
pub use config::ClientConfig;
pub use event::Event;
pub use session::{Session, SessionEnd};

use core::time::Duration;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Clock, EventLimits, EventQueue, Instant, StreamId, TransmitQueue};
use gamewire_websocket::{ResponseError, Target};

use self::record_layer::RecordLayer;
use self::rejoin::Rejoin;
use self::websocket::ClientSocket;
use crate::connection::{Connection, ConnectionConfig};
use crate::extension::ExtensionParams;
use crate::link::{ConnectionSettings, ConnectionState, Metrics};
use crate::shared::frame::FrameSplitter;
use crate::shared::payload::Payload;
use crate::{ClientId, Endpoint, Format, SendError};

/// Limits of the event queue. While it is full, the client drops messages, and the server resends reliable ones.
const EVENT_LIMITS: EventLimits = EventLimits { max_events: 4096, max_heap_bytes: 16 << 20 };

/// A client of one server.
///
/// The client neither panics nor grows without bound, whatever the server sends: at most 4096 events (16 MiB of messages)
/// wait to be polled, and further messages are refused. Its last event is exactly one
/// [`Event::ConnectionFailed`] or [`Event::Disconnected`].
///
/// The protocol has no token: an attacker who can send from the server's address can act as the server, and end the
/// connection with a packet of one or two bytes.
#[derive(Debug)]
pub struct Client {
    connection: Connection,
    state: ClientState,
    clock: Clock,
    events: EventQueue<Event>,
    /// Unreliable packets. They leave before the reliable packets of the connection.
    transmits: TransmitQueue<Endpoint>,
    /// Acks and heartbeat replies. They leave last, because a segmented send may end with a shorter datagram.
    acks: TransmitQueue<Endpoint>,
    /// The server's address for datagrams; `None` on other transports.
    server: Option<SocketAddr>,
    /// Other addresses of the server, until one has answered.
    alternatives: VecDeque<SocketAddr>,
    /// The stream to the server; `None` without one, and after its end.
    stream: Option<StreamId>,
    /// The splitter of the stream, which is taken out while packets are handled.
    frames: Option<FrameSplitter>,
    /// The WebSocket on the stream, which is taken out while packets are handled; `None` over other transports.
    websocket: Option<Box<ClientSocket>>,
    /// Encryption of the datagrams; `None` without it.
    records: Option<Box<RecordLayer>>,
    /// Buffer for the payload of a message.
    scratch: Box<[u8]>,
    delivery_events: bool,
    /// True after the first connect request.
    has_requested: bool,
    /// Joins the server again after a loss of the connection; `None` without [`ClientConfig::reconnect`].
    rejoin: Option<Box<Rejoin>>,
}

/// The state of a client.
#[derive(Debug)]
enum ClientState {
    /// The client requests a connection, or waits for the server's decision.
    Connecting(ConnectRequest),
    /// The client is connected.
    Connected(ClientId),
    /// The connection is closed, and the last event was emitted.
    Ended,
}

/// The user data of the connect request, in the server's format.
#[derive(Clone, Debug, Default)]
struct ConnectRequest {
    bytes: Vec<u8>,
    bits: usize,
}

impl ConnectRequest {
    fn new(data: &Payload<'_>) -> Self {
        Self { bytes: data.to_vec(), bits: data.bit_len() }
    }

    fn data(&self) -> Payload<'_> {
        Payload::with_bits(&self.bytes, self.bits)
    }
}

impl Client {
    /// Creates a client that connects to `server` over datagrams, or over a stream to it.
    ///
    /// # Errors
    /// [`SendError`] if [`ClientConfig::connect_data`] is too long or cannot be represented in the format.
    pub fn connect(config: &ClientConfig, server: SocketAddr, now: Instant) -> Result<Self, SendError> {
        Self::new(config, Some(server), Endpoint::Udp(server), now)
    }

    /// Creates a client that connects over a stream or the application's own transport. It ignores datagrams.
    ///
    /// # Errors
    /// As for [`Client::connect`].
    pub fn connect_over_transport(config: &ClientConfig, now: Instant) -> Result<Self, SendError> {
        Self::new(config, None, Endpoint::Other(0), now)
    }

    /// Creates a client that opens a WebSocket for `target` on a stream. It makes the masks of its frames from `seed`,
    /// which should be random. [`websocket_error`](Self::websocket_error) returns the reason if the server refuses it.
    ///
    /// # Errors
    /// As for [`Client::connect`].
    pub fn connect_over_websocket(
        config: &ClientConfig,
        target: &Target,
        seed: u64,
        now: Instant,
    ) -> Result<Self, SendError> {
        let mut client = Self::connect_over_transport(config, now)?;
        let max_size = client.connection.max_size;
        client.websocket = Some(Box::new(ClientSocket::new(target, max_size, seed)));
        Ok(client)
    }

    fn new(
        config: &ClientConfig,
        server: Option<SocketAddr>,
        endpoint: Endpoint,
        now: Instant,
    ) -> Result<Self, SendError> {
        let connection_config = ConnectionConfig {
            link: config.link,
            settings: config.settings,
            max_payload_size: config.max_payload_size,
            requires_handshake: true,
            delivery_events: config.delivery_events,
            extension: config.extension,
        };
        let connection = Connection::client(config.format, endpoint, &connection_config, now);
        let request = match &config.connect_data {
            None => ConnectRequest::default(),
            Some(data) => {
                let data = data.payload(config.format)?;
                connection.check_connect_data(&data)?;
                ConnectRequest::new(&data)
            }
        };
        let rejoin = config.reconnect.map(|timeout| {
            Box::new(Rejoin {
                config: connection_config,
                request: request.clone(),
                timeout,
                next_request: now,
                lost: None,
            })
        });
        Ok(Self {
            state: ClientState::Connecting(request),
            clock: Clock::new(now),
            events: EventQueue::new(EVENT_LIMITS),
            transmits: TransmitQueue::new(),
            acks: TransmitQueue::new(),
            server,
            alternatives: VecDeque::new(),
            stream: None,
            frames: Some(FrameSplitter::new(config.format, connection.max_size)),
            websocket: None,
            records: None,
            scratch: vec![0; connection.max_size].into_boxed_slice(),
            delivery_events: config.delivery_events,
            has_requested: false,
            rejoin,
            connection,
        })
    }

    /// Returns the client with further addresses of the server. The client sends its connect requests to all addresses
    /// in turn, until one of them replies. It sends at least one request to each address.
    #[must_use]
    pub fn with_alternatives(mut self, servers: impl IntoIterator<Item = SocketAddr>) -> Self {
        self.alternatives.extend(servers);
        let addresses = u32::try_from(self.alternatives.len()).unwrap_or(u32::MAX).saturating_add(1);
        self.connection.link.allow_connection_attempts(addresses);
        self
    }

    /// Returns why the WebSocket did not open, such as HTTP status 403 for an origin that is not allowed.
    pub fn websocket_error(&self) -> Option<ResponseError> {
        self.websocket.as_ref().and_then(|socket| socket.error())
    }

    /// Returns the format.
    pub const fn format(&self) -> Format {
        self.connection.format
    }

    /// Returns the server's address for datagrams.
    pub const fn server(&self) -> Option<SocketAddr> {
        self.server
    }

    /// Returns the client's id (`Id`) while it is connected.
    pub const fn id(&self) -> Option<ClientId> {
        match self.state {
            ClientState::Connected(id) => Some(id),
            ClientState::Connecting(_) | ClientState::Ended => None,
        }
    }

    /// Returns the state of the connection.
    pub const fn state(&self) -> ConnectionState {
        self.connection.link.state()
    }

    /// Returns whether the client is connected (`IsConnected`).
    pub const fn is_connected(&self) -> bool {
        matches!(self.state(), ConnectionState::Connected)
    }

    /// Returns whether the connection is closed (`IsNotConnected`).
    pub const fn is_ended(&self) -> bool {
        matches!(self.state(), ConnectionState::Ended)
    }

    /// Returns the last round-trip time (`RTT`), in whole milliseconds.
    pub fn rtt(&self) -> Option<Duration> {
        self.connection.link.rtt()
    }

    /// Returns the smoothed round-trip time (`SmoothRTT`), in whole milliseconds.
    pub fn smooth_rtt(&self) -> Option<Duration> {
        self.connection.link.smooth_rtt()
    }

    /// Returns the number of reliable messages that the server has not acknowledged. To lose no message, wait until it
    /// is 0 before you disconnect.
    pub fn unacked(&self) -> usize {
        self.connection.link.unacked_count()
    }

    /// Returns the metrics of the connection.
    pub const fn metrics(&self) -> &Metrics {
        &self.connection.link.metrics
    }

    /// Returns the settings of the connection.
    pub const fn settings(&self) -> &ConnectionSettings {
        &self.connection.link.settings
    }

    /// Returns the server's parameters of the extension, after their negotiation. Both sides must enable the extension
    /// ([`ClientConfig::extension`]).
    pub fn extension(&self) -> Option<&ExtensionParams> {
        self.connection.negotiated()
    }
}
