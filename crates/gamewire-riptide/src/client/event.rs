use crate::message::Message;
use crate::{ClientId, DisconnectReason, RejectReason, link};

/// What happened to a client.
#[derive(Debug)]
pub enum Event {
    /// The connection is established (`Connected`).
    Connected {
        /// The client's own id.
        id: ClientId,
    },
    /// There will be no connection (`ConnectionFailed`). The last event.
    ConnectionFailed {
        /// Why.
        reason: RejectReason,
        /// What the server's application has to say with [`RejectReason::Custom`]; `None` when that
        /// is less than a byte, and zeros.
        data: Option<Message>,
    },
    /// A message of the server (`MessageReceived`): reliable and unreliable ones in the order of
    /// their arrival.
    MessageReceived {
        /// It.
        message: Message,
    },
    /// The connection is over (`Disconnected`). The last event.
    Disconnected {
        /// Why.
        reason: DisconnectReason,
        /// What the server's application has to say with [`DisconnectReason::Kicked`]; `None` when
        /// that is less than a byte, and zeros.
        data: Option<Message>,
    },
    /// Another client came (`ClientConnected`).
    ClientConnected {
        /// Its id.
        id: ClientId,
    },
    /// Another client left (`ClientDisconnected`).
    ClientDisconnected {
        /// Its id.
        id: ClientId,
    },
    /// The server has a reliable message. This and the next ones come only with
    /// [`ClientConfig::delivery_events`](super::ClientConfig::delivery_events).
    ReliableDelivered {
        /// What [`Client::send`](super::Client::send) gave.
        seq_id: u16,
    },
    /// 2.0: a reliable message was sent as often as it may be, and is given up.
    ReliableGivenUp {
        /// What [`Client::send`](super::Client::send) gave.
        seq_id: u16,
    },
    /// The server has handled a notify message.
    NotifyDelivered {
        /// What [`Client::send`](super::Client::send) gave.
        seq_id: u16,
    },
    /// The server has not got a notify message, and will not handle it if it still comes.
    NotifyLost {
        /// What [`Client::send`](super::Client::send) gave.
        seq_id: u16,
    },
    /// Nothing will be known of a notify message.
    NotifyUnknown {
        /// What [`Client::send`](super::Client::send) gave.
        seq_id: u16,
    },
}

impl Event {
    /// What became of a message; or why the connection ended by itself.
    pub(super) const fn of_link(event: link::Event) -> Self {
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
