use std::net::SocketAddr;

use gamewire_machine::{Instant, TransmitQueue};

use super::ServerConfig;
use super::queues::{TransportKind, TransportQueue};
use super::relay_limits::RelayLimiter;
use crate::connection::{Connection, Inbound};
use crate::message::Message;
use crate::shared::header::Header;
use crate::shared::packet::{Disconnect, Pending};
use crate::shared::payload::Payload;
use crate::{
    ClientId, ConnectionId, ConnectionLimit, DeliveryOutcome, DisconnectReason, Endpoint, PacketError, link,
};

/// A connection in the server's table, from its connect request on.
///
/// A peer has no access to the table: its methods return an [`Effect`], which the server applies.
#[derive(Debug)]
pub(super) struct Peer {
    pub(super) id: ConnectionId,
    /// The address that its transport reports.
    pub(super) address: Option<SocketAddr>,
    pub(super) connection: Connection,
    pub(super) state: AdmissionState,
    /// Set while the peer waits to be polled for packets. It has no timer then.
    pub(super) is_dirty: bool,
    pub(super) relay_limiter: RelayLimiter,
}

/// The progress of a handshake. `sends` counts the datagrams that were sent, or may be sent by timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdmissionState {
    /// The application has yet to decide.
    AwaitingDecision { sends: u16 },
    /// The Welcome was sent.
    AwaitingEcho { client: ClientId, sends: u16 },
    /// The client echoed the Welcome.
    Connected { client: ClientId },
}

impl AdmissionState {
    /// Returns the id of the client, if it has one.
    pub(super) const fn client(self) -> Option<ClientId> {
        match self {
            Self::AwaitingDecision { .. } => None,
            Self::AwaitingEcho { client, .. } | Self::Connected { client } => Some(client),
        }
    }
}

/// An action for the server after a call of a peer.
#[derive(Debug)]
pub(super) enum Effect {
    Nothing,
    /// Relay a message, or emit it as an event.
    Message(ClientId, Message),
    /// Relay or emit the messages that the extension completed.
    ExtensionMessages,
    /// Emit an event about the delivery of the message with this sequence id.
    Delivery(ClientId, u16, DeliveryOutcome),
    /// Announce the client, which echoed the Welcome.
    Connect(ClientId),
    /// Remove the peer.
    Close(DisconnectReason),
    /// Remove the peer: its connection exceeded a limit.
    Exceed(ConnectionLimit),
}

impl Peer {
    pub(super) fn new(id: ConnectionId, connection: Connection, address: Option<SocketAddr>) -> Self {
        let state = AdmissionState::AwaitingDecision { sends: 0 };
        Self { id, address, connection, state, is_dirty: false, relay_limiter: RelayLimiter::default() }
    }

    #[inline]
    pub(super) const fn endpoint(&self) -> Endpoint {
        self.connection.endpoint
    }

    pub(super) fn transport(&self) -> TransportKind {
        self.endpoint().into()
    }

    #[inline]
    pub(super) const fn is_connected(&self) -> bool {
        matches!(self.state, AdmissionState::Connected { .. })
    }

    /// Returns the memory that the peer holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        size_of::<Self>().saturating_add(self.connection.held_bytes())
    }

    /// Handles a packet.
    #[inline(always)]
    pub(super) fn receive(
        &mut self,
        now: Instant,
        packet: &[u8],
        config: &ServerConfig,
        queue: &mut TransportQueue,
    ) -> Result<Effect, PacketError> {
        if !self.is_connected() {
            self.check_handshake(packet, config)?;
        }
        // The result is matched in place, because moving it costs more than handling a message.
        Ok(match self.connection.handle_packet(now, packet, &mut queue.acks) {
            Err(error) => return Err(error),
            Ok(Inbound::Message(message)) => match self.state.client() {
                Some(client) => Effect::Message(client, message),
                None => Effect::Nothing,
            },
            Ok(Inbound::ExtensionMessages) => Effect::ExtensionMessages,
            Ok(Inbound::Violation) => {
                self.send_disconnect(DisconnectReason::TransportError, &mut queue.packets);
                Effect::Close(DisconnectReason::TransportError)
            }
            Ok(Inbound::Connect) => {
                self.on_repeated_connect(now, config, &mut queue.packets);
                Effect::Nothing
            }
            Ok(Inbound::Welcome { client_id }) => self.on_welcome_echo(now, client_id, config),
            Ok(Inbound::Leave) => Effect::Close(DisconnectReason::Disconnected),
            // Only servers send these.
            Ok(
                Inbound::Nothing
                | Inbound::Pending
                | Inbound::Reject { .. }
                | Inbound::Disconnect { .. }
                | Inbound::ClientConnected(_)
                | Inbound::ClientDisconnected(_),
            ) => Effect::Nothing,
        })
    }

    /// Returns an error for a packet that a peer must not send before its handshake is complete.
    fn check_handshake(&self, packet: &[u8], config: &ServerConfig) -> Result<(), PacketError> {
        let header = self.connection.header(packet);
        let is_allowed = match self.state {
            AdmissionState::AwaitingDecision { .. } => {
                matches!(header, Some(Header::Connect | Header::Disconnect))
            }
            // Nothing is relayed before the echo. The client resends unacknowledged messages.
            _ => header != Some(Header::Reliable) || !config.relay_filter.is_used(),
        };
        if is_allowed { Ok(()) } else { Err(PacketError::NotConnected) }
    }

    /// Sends the notice that the application has yet to decide.
    pub(super) fn request_decision(&mut self, out: &mut TransmitQueue<Endpoint>) {
        self.connection.send_unreliable(Pending::default(), out).ok();
        self.state = AdmissionState::AwaitingDecision { sends: 1 };
    }

    /// Sends the Welcome. The peer must await the decision.
    pub(super) fn accept(&mut self, now: Instant, client: ClientId, config: &ServerConfig) {
        let AdmissionState::AwaitingDecision { sends } = self.state else { return };
        let timer_sends = config.link(self.connection.format).handshake_send_attempts;
        self.state = AdmissionState::AwaitingEcho { client, sends: sends.saturating_add(timer_sends) };
        self.connection.link.accept(now);
        // The send buffer is empty, so the Welcome fits.
        self.connection.send_welcome(now, client).ok();
    }

    /// Handles a repeated connect request: the notice or the Welcome was lost, or is late.
    fn on_repeated_connect(
        &mut self,
        now: Instant,
        config: &ServerConfig,
        out: &mut TransmitQueue<Endpoint>,
    ) {
        let max = config.max_sends_before_echo.unwrap_or(u16::MAX);
        match &mut self.state {
            // One send is reserved for the Welcome.
            AdmissionState::AwaitingDecision { sends } if sends.saturating_add(1) < max => {
                *sends = sends.saturating_add(1);
                self.connection.send_unreliable(Pending::default(), out).ok();
            }
            AdmissionState::AwaitingEcho { sends, .. } if *sends < max && !self.is_dirty => {
                self.connection.link.retry_stalled(now);
                // The Welcome is not due while the last one may still be in flight.
                let is_due = self.connection.link.poll_timeout().is_some_and(|wake| wake.at <= now);
                *sends = sends.saturating_add(is_due.into());
            }
            _ => {}
        }
    }

    /// Handles the client's echo of the Welcome.
    fn on_welcome_echo(&mut self, now: Instant, echoed: ClientId, config: &ServerConfig) -> Effect {
        let AdmissionState::AwaitingEcho { client, .. } = self.state else { return Effect::Nothing };
        if echoed != client {
            // The C# library accepts the client, but a client with a wrong id has not received the Welcome.
            return Effect::Close(DisconnectReason::TransportError);
        }
        self.state = AdmissionState::Connected { client };
        self.connection.link.handle_welcome_echo(now);
        self.connection.link.set_settings(now, config.settings);
        self.connection.on_connected(now);
        Effect::Connect(client)
    }

    /// Sends a Disconnect without data, which always fits. The peer stays open.
    pub(super) fn send_disconnect(&mut self, reason: DisconnectReason, out: &mut TransmitQueue<Endpoint>) {
        let number = reason.number(self.connection.format).unwrap_or_default();
        self.connection.send_unreliable(Disconnect { reason: number, data: Payload::EMPTY }, out).ok();
    }

    /// Returns the next effect of the link's events. Call it after every other call, until it returns `None`.
    pub(super) fn poll_effect(&mut self, config: &ServerConfig) -> Option<Effect> {
        loop {
            let (seq_id, outcome) = match self.connection.poll_event()? {
                link::Event::Closed(link::CloseCause::NeverConnected) => {
                    return Some(Effect::Close(DisconnectReason::NeverConnected));
                }
                link::Event::Closed(link::CloseCause::Exceeded(limit)) => return Some(Effect::Exceed(limit)),
                link::Event::Delivery { seq_id, outcome } => (seq_id, outcome),
            };
            if let AdmissionState::Connected { client } = self.state
                && config.delivery_events
            {
                return Some(Effect::Delivery(client, seq_id, outcome));
            }
        }
    }
}
