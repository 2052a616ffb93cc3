use core::fmt;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use gamewire_machine::{Instant, Machine, Role, StreamId, StreamOutput, Wake};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{
    ClientId, ConnectionId, DisconnectReason, Format, Message, MessageSendMode, RejectReason, SendError,
};

use super::translated::Translated;
use crate::delayed::Delayed;
use crate::traffic::Transport;
use crate::{Action, MessageHook, Session, Side, Unchanged};

/// The streams of both machines.
const STREAM: StreamId = StreamId::new(0);
/// Maximum number of messages that wait for one side. Above it, the other side's messages are not acknowledged.
const WAITING: usize = 256;

/// How a Riptide session connects to the server.
#[derive(Clone, Debug)]
pub struct RiptideConfig {
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// The transport of both sides.
    pub transport: Transport,
    /// The format of the server; `None` for that of the client.
    pub server_format: Option<Format>,
    /// The layouts of messages, for translation to another format.
    pub layouts: Arc<MessageLayouts>,
}

/// A session that decodes every message and encodes it again: a [`Server`] faces the client, and a [`Client`] the
/// server, each with its own sequence ids, acks and resends.
///
/// The server decides about the connection, and the client has the id that the server gave. Both sides learn the
/// reason when the other one leaves.
pub struct RiptideSession {
    config: RiptideConfig,
    server: Server,
    client: Option<Client>,
    hook: Box<dyn MessageHook<Message>>,
    state: State,
    to_client: VecDeque<Message>,
    to_server: VecDeque<Message>,
    delayed: Delayed<Message>,
    now: Instant,
    untranslated: u64,
}

/// How far the connection of the client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has not asked for a connection.
    Idle,
    /// The server decides.
    Requested(ConnectionId),
    /// The server has accepted it under this id.
    Accepted(ClientId),
    Over,
}

impl RiptideSession {
    /// Returns a session that forwards all messages.
    #[must_use]
    pub fn new(config: RiptideConfig, now: Instant) -> Self {
        Self::with_hook(config, now, Box::new(Unchanged))
    }

    /// Returns a session whose messages pass through a hook.
    #[must_use]
    pub fn with_hook(config: RiptideConfig, now: Instant, hook: Box<dyn MessageHook<Message>>) -> Self {
        let mut server = Server::new(
            ServerConfig { handle_connection: true, announce_clients: false, ..ServerConfig::new(1) },
            now,
        );
        if config.transport == Transport::Tcp {
            server.handle_open(now, STREAM, config.client);
        }
        Self {
            config,
            server,
            client: None,
            hook,
            state: State::Idle,
            to_client: VecDeque::new(),
            to_server: VecDeque::new(),
            delayed: Delayed::new(),
            now,
            untranslated: 0,
        }
    }

    /// Returns the number of messages that could not be sent in the other side's format.
    #[must_use]
    pub const fn untranslated(&self) -> u64 {
        self.untranslated
    }

    /// Handles the events of both machines, and sends what they allow.
    fn pump(&mut self) {
        self.queue_due();
        while self.to_server.len() < WAITING
            && let Some(event) = self.server.poll_event()
        {
            self.on_server_event(event);
        }
        while self.to_client.len() < WAITING
            && let Some(event) = self.client.as_mut().and_then(Client::poll_event)
        {
            self.on_client_event(event);
        }
        self.send_waiting();
    }

    /// Handles an event of the machine that faces the client.
    fn on_server_event(&mut self, event: server::Event) {
        match event {
            server::Event::ConnectionRequested { connection, format, data, .. } => {
                self.connect(connection, format, data);
            }
            server::Event::MessageReceived { message, .. } => self.forward(Side::Client, message),
            server::Event::ClientDisconnected { reason, .. } => {
                self.send_waiting();
                // Otherwise the server notices it as it would without a proxy: nothing comes any more.
                if let (DisconnectReason::Disconnected, Some(client)) = (reason, &mut self.client) {
                    client.disconnect();
                }
                self.state = State::Over;
            }
            server::Event::ConnectionFailed { .. } => self.state = State::Over,
            _ => {}
        }
    }

    fn connect(&mut self, connection: ConnectionId, format: Format, data: Message) {
        let format = self.config.server_format.unwrap_or(format);
        let config = ClientConfig { connect_data: Some(data), ..ClientConfig::new(format) };
        let client = match self.config.transport {
            Transport::Udp => Client::connect(&config, self.config.server, self.now),
            Transport::Tcp => Client::connect_over_transport(&config, self.now),
        };
        let Ok(mut client) = client else {
            self.state = State::Over;
            return;
        };
        if self.config.transport == Transport::Tcp {
            client.handle_open(self.now, STREAM, self.config.server);
        }
        self.client = Some(client);
        self.state = State::Requested(connection);
    }

    /// Handles an event of the machine that faces the server.
    fn on_client_event(&mut self, event: client::Event) {
        match (event, self.state) {
            (client::Event::Connected { id }, State::Requested(connection)) => {
                let accepted = self.server.accept_as(connection, id);
                self.state = accepted.map_or(State::Over, State::Accepted);
            }
            (client::Event::ConnectionFailed { reason, data }, State::Requested(connection)) => {
                if reason != RejectReason::NoConnection {
                    // Data that do not fit the client's format are left out.
                    let rejected = self.server.reject_as(connection, reason, data.as_ref());
                    let _ = rejected.or_else(|_| self.server.reject_as(connection, reason, None));
                }
                self.state = State::Over;
            }
            (client::Event::MessageReceived { message }, _) => self.forward(Side::Server, message),
            (client::Event::ClientConnected { id }, State::Accepted(own)) => {
                self.server.announce_client(own, id, true);
            }
            (client::Event::ClientDisconnected { id }, State::Accepted(own)) => {
                self.server.announce_client(own, id, false);
            }
            (client::Event::Disconnected { reason, data }, State::Accepted(own)) => {
                self.send_waiting();
                match reason {
                    DisconnectReason::Kicked => {
                        let kicked = self.server.disconnect_client(own, data.as_ref());
                        let _ = kicked.or_else(|_| self.server.disconnect_client(own, None));
                    }
                    DisconnectReason::ServerStopped => self.server.stop(),
                    // The client notices it as it would without a proxy: nothing comes any more.
                    _ => {}
                }
                self.state = State::Over;
            }
            _ => {}
        }
    }

    /// Puts a message in the queue of the other side, as the hook says.
    fn forward(&mut self, from: Side, mut message: Message) {
        match self.hook.on_message(from, &mut message) {
            Action::Drop => {}
            Action::Forward => self.queue(from.other()).push_back(message),
            Action::Duplicate => {
                self.queue(from.other()).push_back(message.clone());
                self.queue(from.other()).push_back(message);
            }
            Action::Delay(time) => {
                if let Err(message) = self.delayed.push(self.now, time, from, message) {
                    self.queue(from.other()).push_back(message);
                }
            }
        }
    }

    const fn queue(&mut self, to: Side) -> &mut VecDeque<Message> {
        match to {
            Side::Client => &mut self.to_client,
            Side::Server => &mut self.to_server,
        }
    }

    /// Queues the delayed messages whose time has come.
    fn queue_due(&mut self) {
        while let Some((from, message)) = self.delayed.pop_due(self.now) {
            self.queue(from.other()).push_back(message);
        }
    }

    /// Sends what waits, as long as there is room.
    fn send_waiting(&mut self) {
        let layouts = Arc::clone(&self.config.layouts);
        while let (Some(message), State::Accepted(own)) = (self.to_client.front(), self.state) {
            let message = Translated { message, layouts: &layouts, sender: Role::Server };
            match self.server.send(&message, own) {
                // It waits for acks, or for the echo of the Welcome.
                Err(SendError::Full | SendError::NotConnected)
                    if message.message.mode() == MessageSendMode::Reliable =>
                {
                    break;
                }
                Err(SendError::Unsupported(_)) => self.untranslated = self.untranslated.saturating_add(1),
                // An unreliable message is lost, as on a link.
                _ => {}
            }
            self.to_client.pop_front();
        }
        while let (Some(message), Some(client)) = (self.to_server.front(), &mut self.client) {
            let message = Translated { message, layouts: &layouts, sender: Role::Client };
            match client.send(&message) {
                Err(SendError::Full) if message.message.mode() == MessageSendMode::Reliable => break,
                Err(SendError::Unsupported(_)) => self.untranslated = self.untranslated.saturating_add(1),
                _ => {}
            }
            self.to_server.pop_front();
        }
    }
}

impl Session for RiptideSession {
    fn handle(&mut self, now: Instant, from: Side, bytes: &[u8]) {
        self.now = now;
        match (self.config.transport, from, &mut self.client) {
            // A datagram that is no packet of the protocol changes nothing.
            (Transport::Udp, Side::Client, _) => {
                let _ = self.server.handle_datagram(now, self.config.client, bytes);
            }
            (Transport::Udp, Side::Server, Some(client)) => {
                let _ = client.handle_datagram(now, self.config.server, bytes);
            }
            (Transport::Tcp, Side::Client, _) => self.server.handle_bytes(now, STREAM, bytes),
            (Transport::Tcp, Side::Server, Some(client)) => client.handle_bytes(now, STREAM, bytes),
            (_, Side::Server, None) => {}
        }
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, from: Side) {
        self.now = now;
        match (from, &mut self.client) {
            (Side::Client, _) => self.server.handle_close(now, STREAM),
            (Side::Server, Some(client)) => client.handle_close(now, STREAM),
            (Side::Server, None) => self.state = State::Over,
        }
        self.pump();
    }

    fn poll_transmit(&mut self, now: Instant, to: Side, buffer: &mut Vec<u8>) -> bool {
        match (to, &mut self.client) {
            (Side::Client, _) => poll(&mut self.server, self.config.transport, now, buffer),
            (Side::Server, Some(client)) => poll(client, self.config.transport, now, buffer),
            (Side::Server, None) => false,
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let client = self.client.as_ref().and_then(Client::poll_timeout);
        Wake::earliest([self.server.poll_timeout(), client, self.delayed.poll_timeout()])
    }

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        self.server.handle_timeout(now);
        if let Some(client) = &mut self.client {
            client.handle_timeout(now);
        }
        self.pump();
    }

    fn is_over(&self) -> bool {
        self.state == State::Over
    }
}

/// Returns whether a machine had something to send.
fn poll<M: Machine>(machine: &mut M, transport: Transport, now: Instant, buffer: &mut Vec<u8>) -> bool {
    buffer.clear();
    match transport {
        Transport::Udp => machine.poll_transmit(now, buffer).is_some(),
        Transport::Tcp => loop {
            match machine.poll_stream(now, buffer) {
                Some(StreamOutput::Write(_)) => return true,
                // The session is over then, and the relay ends both streams.
                Some(StreamOutput::Close(_)) => {}
                None => return false,
            }
        },
    }
}

impl fmt::Debug for RiptideSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, state, untranslated, .. } = self;
        f.debug_struct("RiptideSession")
            .field("config", config)
            .field("state", state)
            .field("untranslated", untranslated)
            .finish_non_exhaustive()
    }
}
