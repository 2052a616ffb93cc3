use gamewire_machine::QueuedEvent;

use crate::message::Message;
use crate::{ClientId, DisconnectReason, RejectReason, link};

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
    /// The connection failed (`ConnectionFailed`). This is the last event.
    ConnectionFailed {
        /// Reason for the failure.
        reason: RejectReason,
        /// User data of the server with [`RejectReason::Custom`]; `None` if there is less than a byte, all zeros.
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
        /// User data of the server with [`DisconnectReason::Kicked`]; `None` if there is less than a byte, all zeros.
        data: Option<Message>,
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
    /// The server acknowledged a reliable message. This and the next events need
    /// [`ClientConfig::delivery_events`](super::ClientConfig::delivery_events).
    ReliableDelivered {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// A reliable message was discarded after the maximum number of attempts (2.0). It may have arrived.
    ReliableGivenUp {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// The server received a notify message.
    NotifyDelivered {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// A notify message was lost. If it still arrives, the server drops it.
    NotifyLost {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// The delivery of a notify message will remain unknown.
    NotifyUnknown {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// Unreliable messages, notify messages or delivery events were lost, because too many events waited to be polled.
    Missed {
        /// Number of lost events.
        count: u64,
    },
}

impl Event {
    pub(super) const fn from_link(event: link::Event) -> Self {
        match event {
            link::Event::ReliableDelivered { seq_id } => Self::ReliableDelivered { seq_id },
            link::Event::ReliableGivenUp { seq_id } => Self::ReliableGivenUp { seq_id },
            link::Event::NotifyDelivered { seq_id } => Self::NotifyDelivered { seq_id },
            link::Event::NotifyLost { seq_id } => Self::NotifyLost { seq_id },
            link::Event::NotifyUnknown { seq_id } => Self::NotifyUnknown { seq_id },
            link::Event::Closed(link::CloseCause::NeverConnected) => {
                Self::ConnectionFailed { reason: RejectReason::NoConnection, data: None }
            }
            link::Event::Closed(link::CloseCause::TimedOut) => Self::disconnected(DisconnectReason::TimedOut),
            link::Event::Closed(link::CloseCause::PoorConnection(_)) => {
                Self::disconnected(DisconnectReason::PoorConnection)
            }
        }
    }

    pub(super) const fn disconnected(reason: DisconnectReason) -> Self {
        Self::Disconnected { reason, data: None }
    }
}

impl QueuedEvent for Event {
    const MERGES: bool = false;

    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// Messages and notices about other clients are essential, because they were acknowledged. They are bounded, because
    /// the client refuses them while the queue is full.
    fn is_essential(&self) -> bool {
        !matches!(
            self,
            Self::ReliableDelivered { .. }
                | Self::ReliableGivenUp { .. }
                | Self::NotifyDelivered { .. }
                | Self::NotifyLost { .. }
                | Self::NotifyUnknown { .. }
                | Self::Missed { .. }
        )
    }

    fn heap_bytes(&self) -> usize {
        if let Self::MessageReceived { message } = self { message.bytes_in_use() } else { 0 }
    }
}
