use std::net::SocketAddr;

use gamewire_machine::{LogLine, QueuedEvent};

use crate::message::Message;
use crate::{ClientId, DeliveryOutcome, DisconnectReason, ExceededLimit, RejectReason};

/// An event of a client.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Event {
    /// The connection is established (`Connected`).
    Connected {
        /// Id of this client.
        id: ClientId,
    },
    /// The connection was lost, and the client has joined the server again: see
    /// [`ClientConfig::reconnect`](super::ClientConfig::reconnect).
    Reconnected {
        /// New id of this client.
        id: ClientId,
        /// Reason for the loss.
        reason: DisconnectReason,
        /// Number of reliable messages that the server had not acknowledged. They are not sent again.
        unacked: usize,
    },
    /// The address of this client has changed. The encrypted session of
    /// [`Client::connect_over_records`](super::Client::connect_over_records) continues.
    AddressChanged {
        /// New address of this client, as the server sees it.
        address: SocketAddr,
    },
    /// The connection failed (`ConnectionFailed`). This is the last event.
    ConnectionFailed {
        /// Reason for the failure.
        reason: RejectReason,
        /// User data of the server with [`RejectReason::Custom`]; `None` if the packet ends with less than a byte of
        /// zeros, which is padding.
        data: Option<Message>,
    },
    /// The server sent a message (`MessageReceived`). Messages are in the order of arrival.
    MessageReceived {
        /// The message.
        message: Message,
    },
    /// The connection is closed (`Disconnected`). This is the last event.
    Disconnected {
        /// Reason for the disconnect.
        reason: DisconnectReason,
        /// User data of the server with [`DisconnectReason::Kicked`]; `None` if the packet ends with less than a byte
        /// of zeros, which is padding.
        data: Option<Message>,
        /// The limit that the connection exceeded, with [`DisconnectReason::TimedOut`] and
        /// [`DisconnectReason::PoorConnection`] of this end.
        exceeded: Option<ExceededLimit>,
    },
    /// Another client connected (`ClientConnected`).
    ClientConnected {
        /// Id of the other client.
        id: ClientId,
    },
    /// Another client disconnected (`ClientDisconnected`).
    ClientDisconnected {
        /// Id of the other client.
        id: ClientId,
    },
    /// A reliable or notify message was delivered to the server or was lost. The client emits this event only with
    /// [`ClientConfig::delivery_events`](super::ClientConfig::delivery_events).
    Delivery {
        /// Sequence id of the message.
        seq_id: u16,
        /// Outcome of its delivery.
        outcome: DeliveryOutcome,
    },
    /// Unreliable messages, notify messages, delivery events or changes of the address were lost, because too many events waited to be polled.
    Missed {
        /// Number of lost events.
        count: u64,
    },
}

impl Event {
    /// Returns the log line of the event, if it has one.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Connected { id } => LogLine::info(format_args!("connected as client {id}")),
            Self::Reconnected { id, reason, .. } => {
                LogLine::info(format_args!("connected again as client {id} after a loss: {reason}"))
            }
            Self::AddressChanged { address } => {
                LogLine::info(format_args!("the address has changed to {address}"))
            }
            Self::ConnectionFailed { reason, .. } => {
                LogLine::info(format_args!("the connection failed: {reason}"))
            }
            Self::Disconnected { reason, exceeded: Some(exceeded), .. } => {
                LogLine::info(format_args!("disconnected: {reason}: {exceeded}"))
            }
            Self::Disconnected { reason, .. } => LogLine::info(format_args!("disconnected: {reason}")),
            Self::ClientConnected { id } => LogLine::info(format_args!("client {id} connected")),
            Self::ClientDisconnected { id } => LogLine::info(format_args!("client {id} disconnected")),
            Self::Missed { count } => LogLine::missed(*count),
            _ => return None,
        })
    }

    pub(super) const fn disconnected(reason: DisconnectReason) -> Self {
        Self::Disconnected { reason, data: None, exceeded: None }
    }
}

impl QueuedEvent for Event {
    const MERGES: bool = false;

    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// Messages and notices about other clients are essential, because the client has already acknowledged them. Their
    /// number is bounded, because the client refuses them while the queue is full.
    fn is_essential(&self) -> bool {
        !matches!(self, Self::Delivery { .. } | Self::AddressChanged { .. } | Self::Missed { .. })
    }

    fn heap_bytes(&self) -> usize {
        if let Self::MessageReceived { message } = self { message.bytes_in_use() } else { 0 }
    }
}
