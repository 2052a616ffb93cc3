use std::net::SocketAddr;

use gamewire_machine::{LogLine, QueuedEvent};

use crate::message::Message;
use crate::{ClientId, ConnectionId, DeliveryOutcome, DisconnectReason, Endpoint, ExceededLimit, Format};

/// An event of a server.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// A connect request awaits [`Server::accept`](super::Server::accept) or
    /// [`Server::reject`](super::Server::reject), with
    /// [`ServerConfig::handle_connection`](super::ServerConfig::handle_connection). Exactly one `ClientConnected` or
    /// `ConnectionFailed` of this connection follows.
    ConnectionRequested {
        /// Number of the connection.
        connection: ConnectionId,
        /// Endpoint of the client.
        from: Endpoint,
        /// Address of the client, if its transport has addresses.
        address: Option<SocketAddr>,
        /// Format of the client.
        format: Format,
        /// User data of the request.
        data: Message,
    },
    /// A handshake failed.
    ConnectionFailed {
        /// Number of the connection.
        connection: ConnectionId,
        /// Endpoint of the client.
        from: Endpoint,
        /// Reason for the failure.
        reason: DisconnectReason,
    },
    /// A client completed the handshake.
    ClientConnected {
        /// Id of the client.
        client: ClientId,
        /// Number of the connection.
        connection: ConnectionId,
        /// Endpoint of the client.
        from: Endpoint,
        /// Address of the client, if its transport has addresses.
        address: Option<SocketAddr>,
        /// Format of the client.
        format: Format,
    },
    /// The address of a client with an encrypted session has changed. The client has proven that it receives at the new
    /// address.
    ClientAddressChanged {
        /// Id of the client.
        client: ClientId,
        /// Address of the client until now.
        from: SocketAddr,
        /// New address of the client.
        to: SocketAddr,
    },
    /// A client sent a message.
    MessageReceived {
        /// Id of the client.
        client: ClientId,
        /// The message.
        message: Message,
    },
    /// A client disconnected. This is the last event of its id until the next `ClientConnected`.
    ClientDisconnected {
        /// Id of the client.
        client: ClientId,
        /// Reason for the disconnect.
        reason: DisconnectReason,
        /// The limit that the connection exceeded, with [`DisconnectReason::TimedOut`] and
        /// [`DisconnectReason::PoorConnection`].
        exceeded: Option<ExceededLimit>,
    },
    /// A reliable or notify message was delivered to a client or was lost. The server emits this event only with
    /// [`ServerConfig::delivery_events`](super::ServerConfig::delivery_events).
    Delivery {
        /// Id of the client.
        client: ClientId,
        /// Sequence id of the message.
        seq_id: u16,
        /// Outcome of its delivery.
        outcome: DeliveryOutcome,
    },
    /// Unreliable messages, notify messages, delivery events or changes of addresses were lost, because too many events waited to be polled.
    Missed {
        /// Number of lost events.
        count: u64,
    },
}

impl Event {
    /// Returns the log line of the event, if it has one.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::ConnectionRequested { from, format, .. } => {
                LogLine::debug(format_args!("{from} requests a connection in Riptide {format}"))
            }
            Self::ConnectionFailed { from, reason, .. } => {
                LogLine::info(format_args!("the connection of {from} failed: {reason}"))
            }
            Self::ClientConnected { client, from, format, .. } => {
                LogLine::info(format_args!("client {client} ({from}, Riptide {format}) connected"))
            }
            Self::ClientAddressChanged { client, from, to } => {
                LogLine::info(format_args!("client {client} has moved from {from} to {to}"))
            }
            Self::ClientDisconnected { client, reason, exceeded: Some(exceeded) } => {
                LogLine::info(format_args!("client {client} disconnected: {reason}: {exceeded}"))
            }
            Self::ClientDisconnected { client, reason, .. } => {
                LogLine::info(format_args!("client {client} disconnected: {reason}"))
            }
            Self::Missed { count } => LogLine::missed(*count),
            _ => return None,
        })
    }
}

impl QueuedEvent for Event {
    const MERGES: bool = false;

    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// Messages are essential, because the server has already acknowledged the reliable ones. Their number is bounded,
    /// because the server refuses messages while the queue is full.
    fn is_essential(&self) -> bool {
        !matches!(self, Self::Delivery { .. } | Self::ClientAddressChanged { .. } | Self::Missed { .. })
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Self::ConnectionRequested { data: message, .. } | Self::MessageReceived { message, .. } => {
                message.bytes_in_use()
            }
            _ => 0,
        }
    }
}
