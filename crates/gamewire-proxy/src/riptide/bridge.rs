use core::fmt;
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

use gamewire_machine::{Instant, Machine, Role, StreamId, StreamOutput, Transport, Wake};
use gamewire_riptide::client::{self, Client, ClientConfig};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{
    ClientId, ConnectionId, DisconnectReason, Format, Message, MessageSendMode, RejectReason, SendError,
};

use super::translated::Translated;
use crate::delayed::Delayed;
use crate::{Action, Bridge, MessageHook, Unchanged};

/// The only stream of each machine.
const STREAM: StreamId = StreamId::new(0);
/// Maximum number of messages queued for one side. At the limit, the bridge does not acknowledge messages of the
/// other side.
const MAX_WAITING: usize = 256;

/// Settings of a Riptide bridge.
#[derive(Clone, Debug)]
pub struct RiptideConfig {
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// The transport of both sides.
    pub transport: Transport,
    /// Format of the server; `None` to use the client's format.
    pub server_format: Option<Format>,
    /// Message layouts, for translation between formats.
    pub layouts: Arc<MessageLayouts>,
}

/// A bridge that decodes every message and encodes it again. A [`Server`] handles the connection of the client, and a
/// [`Client`] the connection to the server. Each has separate sequence ids, acks and resends.
///
/// The server accepts or rejects the connection, and the client receives the id that the server assigned. When one
/// side disconnects, the other side receives the reason.
pub struct RiptideBridge {
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

/// State of the client's connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The client has not sent a connect request.
    Idle,
    /// The client has sent a connect request, and the server has not answered it.
    Requested(ConnectionId),
    /// The server has accepted the client under this id.
    Accepted(ClientId),
    Over,
}

impl RiptideBridge {
    /// Returns a bridge that forwards all messages.
    #[must_use]
    pub fn new(config: RiptideConfig, now: Instant) -> Self {
        Self::with_hook(config, now, Box::new(Unchanged))
    }

    /// Returns a bridge that passes all messages through a hook.
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

    /// Returns the number of messages that the other side's format cannot express.
    #[must_use]
    pub const fn untranslated(&self) -> u64 {
        self.untranslated
    }

    /// Handles the events of both machines, as long as the queues have space.
    fn pump(&mut self) {
        self.queue_due();
        while self.to_server.len() < MAX_WAITING
            && let Some(event) = self.server.poll_event()
        {
            self.on_server_event(event);
        }
        while self.to_client.len() < MAX_WAITING
            && let Some(event) = self.client.as_mut().and_then(Client::poll_event)
        {
            self.on_client_event(event);
        }
        self.send_waiting();
    }

    /// Handles an event of the machine for the client.
    fn on_server_event(&mut self, event: server::Event) {
        match event {
            _ if self.is_over() => {}
            server::Event::ConnectionRequested { connection, format, data, .. } => {
                self.connect(connection, format, data);
            }
            server::Event::MessageReceived { message, .. } => self.forward(Role::Client, message),
            server::Event::ClientDisconnected { reason, .. } => {
                self.send_waiting();
                // In other cases, the server detects the end by its timeout, as without a proxy.
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

    /// Handles an event of the machine for the server.
    fn on_client_event(&mut self, event: client::Event) {
        match (event, self.state) {
            (_, State::Over) => {}
            (client::Event::Connected { id }, State::Requested(connection)) => {
                let accepted = self.server.accept_as(connection, id);
                self.state = accepted.map_or(State::Over, State::Accepted);
            }
            (client::Event::ConnectionFailed { reason, data }, State::Requested(connection)) => {
                if reason != RejectReason::NoConnection {
                    // Omit the data if the client's format cannot express them.
                    let rejected = self.server.reject_as(connection, reason, data.as_ref());
                    let _ = rejected.or_else(|_| self.server.reject_as(connection, reason, None));
                }
                self.state = State::Over;
            }
            (client::Event::MessageReceived { message }, _) => self.forward(Role::Server, message),
            (client::Event::ClientConnected { id }, State::Accepted(own)) => {
                self.server.announce_client(own, id, true);
            }
            (client::Event::ClientDisconnected { id }, State::Accepted(own)) => {
                self.server.announce_client(own, id, false);
            }
            (client::Event::Disconnected { reason, data, .. }, State::Accepted(own)) => {
                self.send_waiting();
                match reason {
                    DisconnectReason::Kicked => {
                        let kicked = self.server.disconnect_client(own, data.as_ref());
                        let _ = kicked.or_else(|_| self.server.disconnect_client(own, None));
                    }
                    DisconnectReason::ServerStopped => self.server.stop(),
                    // The client detects the end by its timeout, as without a proxy.
                    _ => {}
                }
                self.state = State::Over;
            }
            _ => {}
        }
    }

    /// Applies the hook's action to a message: queues it for the other side, delays it or drops it.
    fn forward(&mut self, from: Role, mut message: Message) {
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

    const fn queue(&mut self, to: Role) -> &mut VecDeque<Message> {
        match to {
            Role::Client => &mut self.to_client,
            Role::Server => &mut self.to_server,
        }
    }

    /// Queues the delayed messages that are due.
    fn queue_due(&mut self) {
        while let Some((from, message)) = self.delayed.pop_due(self.now) {
            self.queue(from.other()).push_back(message);
        }
    }

    /// Sends queued messages as long as the send windows have space.
    fn send_waiting(&mut self) {
        let layouts = Arc::clone(&self.config.layouts);
        while let (Some(message), State::Accepted(own)) = (self.to_client.front(), self.state) {
            let message = Translated { message, layouts: &layouts, sender: Role::Server };
            match self.server.send(&message, own) {
                // Keep the message: it waits for acks, or for the client's echo of the Welcome.
                Err(SendError::Full | SendError::NotConnected)
                    if message.message.mode() == MessageSendMode::Reliable =>
                {
                    break;
                }
                Err(SendError::Unsupported(_)) => self.untranslated = self.untranslated.saturating_add(1),
                // An unreliable message may be lost, as on any link.
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

impl Bridge for RiptideBridge {
    fn handle(&mut self, now: Instant, from: Role, bytes: &[u8]) {
        if self.is_over() {
            return;
        }
        self.now = now;
        match (self.config.transport, from, &mut self.client) {
            // The machine ignores a datagram that is not a valid packet.
            (Transport::Udp, Role::Client, _) => {
                let _ = self.server.handle_datagram(now, self.config.client, bytes);
            }
            (Transport::Udp, Role::Server, Some(client)) => {
                let _ = client.handle_datagram(now, self.config.server, bytes);
            }
            (Transport::Tcp, Role::Client, _) => self.server.handle_bytes(now, STREAM, bytes),
            (Transport::Tcp, Role::Server, Some(client)) => client.handle_bytes(now, STREAM, bytes),
            (_, Role::Server, None) => {}
        }
        self.pump();
    }

    fn handle_close(&mut self, now: Instant, from: Role) {
        if self.is_over() {
            return;
        }
        self.now = now;
        match (from, &mut self.client) {
            (Role::Client, _) => self.server.handle_close(now, STREAM),
            (Role::Server, Some(client)) => client.handle_close(now, STREAM),
            (Role::Server, None) => self.state = State::Over,
        }
        self.pump();
    }

    fn poll_transmit(&mut self, now: Instant, to: Role, buffer: &mut Vec<u8>) -> bool {
        match (to, &mut self.client) {
            (Role::Client, _) => poll(&mut self.server, self.config.transport, now, buffer),
            (Role::Server, Some(client)) => poll(client, self.config.transport, now, buffer),
            (Role::Server, None) => false,
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        if self.is_over() {
            return None;
        }
        let client = self.client.as_ref().and_then(Client::poll_timeout);
        Wake::earliest([self.server.poll_timeout(), client, self.delayed.poll_timeout()])
    }

    fn handle_timeout(&mut self, now: Instant) {
        if self.is_over() {
            return;
        }
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

/// Replaces the content of `buffer` with a machine's next output. Returns whether there was any.
fn poll<M: Machine>(machine: &mut M, transport: Transport, now: Instant, buffer: &mut Vec<u8>) -> bool {
    buffer.clear();
    match transport {
        Transport::Udp => machine.poll_transmit(now, buffer).is_some(),
        Transport::Tcp => loop {
            match machine.poll_stream(now, buffer) {
                Some(StreamOutput::Write(_)) => return true,
                // The bridge has ended. The relay closes both streams.
                Some(StreamOutput::Close(_)) => {}
                None => return false,
            }
        },
    }
}

impl fmt::Debug for RiptideBridge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { config, state, untranslated, .. } = self;
        f.debug_struct("RiptideBridge")
            .field("config", config)
            .field("state", state)
            .field("untranslated", untranslated)
            .finish_non_exhaustive()
    }
}
