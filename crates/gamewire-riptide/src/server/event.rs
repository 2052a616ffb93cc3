use std::net::SocketAddr;

use crate::message::Message;
use crate::{ClientId, ConnectionId, DisconnectReason, Endpoint, Format};

/// What happened on a server.
#[derive(Debug)]
pub enum Event {
    /// Somebody asks for a connection, and waits for [`Server::accept`](super::Server::accept) or
    /// [`Server::reject`](super::Server::reject). Only with
    /// [`ServerConfig::handle_connection`](super::ServerConfig::handle_connection). Exactly one
    /// `ClientConnected` or `ConnectionFailed` of this connection follows.
    ConnectionRequested {
        /// The connection.
        connection: ConnectionId,
        /// Where it comes from.
        from: Endpoint,
        /// The address, if its transport has such.
        address: Option<SocketAddr>,
        /// The format that it speaks.
        format: Format,
        /// What its application has to say.
        data: Message,
    },
    /// A connection never came to be.
    ConnectionFailed {
        /// The connection.
        connection: ConnectionId,
        /// Where it came from.
        from: Endpoint,
        /// Why.
        reason: DisconnectReason,
    },
    /// A client is there: it has answered.
    ClientConnected {
        /// Its id.
        client: ClientId,
        /// The connection that it is.
        connection: ConnectionId,
        /// Where it comes from.
        from: Endpoint,
        /// The address, if its transport has such.
        address: Option<SocketAddr>,
        /// The format that it speaks.
        format: Format,
    },
    /// A client has sent a message.
    MessageReceived {
        /// Who.
        client: ClientId,
        /// What.
        message: Message,
    },
    /// A client is gone: the last event of this id until the next `ClientConnected`.
    ClientDisconnected {
        /// Who.
        client: ClientId,
        /// Why.
        reason: DisconnectReason,
    },
    /// A client has a reliable message. This and all below only with
    /// [`ServerConfig::delivery_events`](super::ServerConfig::delivery_events).
    ReliableDelivered {
        /// Who.
        client: ClientId,
        /// The sequence id of the message.
        seq_id: u16,
    },
    /// 2.0: a reliable message was sent as often as it may be; the client may have it or not.
    ReliableGivenUp {
        /// Who.
        client: ClientId,
        /// The sequence id of the message.
        seq_id: u16,
    },
    /// A client has handled a notify message.
    NotifyDelivered {
        /// Who.
        client: ClientId,
        /// The sequence id of the message.
        seq_id: u16,
    },
    /// A client has not got a notify message, and will not handle it if it still comes.
    NotifyLost {
        /// Who.
        client: ClientId,
        /// The sequence id of the message.
        seq_id: u16,
    },
    /// Nothing will be known of a notify message.
    NotifyUnknown {
        /// Who.
        client: ClientId,
        /// The sequence id of the message.
        seq_id: u16,
    },
}
