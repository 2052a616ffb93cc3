use gamewire_machine::{Instant, TransmitQueue, Wake};

use super::stage::{ClientState, ConnectRequest};
use super::{ClientConfig, Event};
use crate::events::{self, Events};
use crate::extension::CompleteMessage;
use crate::link;
use crate::message::{Message, MessageSendMode, Sendable};
use crate::peer::{FastPathOutcome, Inbound, PacketError, Peer, PeerConfig, ReplyQueue, SendError};
use crate::shared::header::Header;
use crate::shared::payload::Payload;
use crate::{ClientId, DisconnectReason, Endpoint, RejectReason};

/// How much may wait; with more, messages are dropped until they are polled. What is reliable comes
/// again.
const MAX_EVENTS: events::EventLimits = events::EventLimits { events: 4096, extended_bytes: 16 << 20 };
/// How many bytes of acks may wait to be polled.
const MAX_ANSWERS: usize = 1 << 20;

/// Whether packets with this header are events, any number of them.
const fn produces_event(header: Header) -> bool {
    matches!(
        header,
        Header::Unreliable
            | Header::Reliable
            | Header::Notify
            | Header::ClientConnected
            | Header::ClientDisconnected
    )
}

/// A client on whichever transport: packets in, packets and events out.
#[derive(Debug)]
pub(super) struct Core {
    pub(super) peer: Peer,
    pub(super) stage: ClientState,
    pub(super) events: Events<Message, Event>,
    /// When it was last told the time.
    pub(super) now: Instant,
    /// What was sent before anything reliable that still waits in the connection.
    out: TransmitQueue<Endpoint>,
    /// Acks. They go last: a run of datagrams may end with a shorter one.
    answers: ReplyQueue,
    /// Where messages are written.
    scratch: Vec<u8>,
    delivery_events: bool,
}

impl Core {
    pub(super) fn new(config: &ClientConfig, endpoint: Endpoint, now: Instant) -> Result<Self, SendError> {
        let &ClientConfig { format, link, settings, max_payload_size, delivery_events, extension, .. } =
            config;
        let tells_fates = delivery_events;
        let limits = PeerConfig {
            link,
            settings,
            max_payload_size,
            is_gated: true,
            delivery_events: tells_fates,
            extension,
        };
        let peer = Peer::server(format, endpoint, &limits, now);
        let question = match &config.connect_data {
            None => ConnectRequest::default(),
            Some(data) => {
                let data = data.payload(format)?;
                peer.check_connect(&data)?;
                ConnectRequest::new(&data)
            }
        };
        let scratch = vec![0; peer.max_size()];
        let (stage, events) = (ClientState::Connecting(question), Events::new(MAX_EVENTS));
        let (out, answers) = (TransmitQueue::new(), ReplyQueue::with_limit(MAX_ANSWERS));
        Ok(Self { peer, stage, events, now, out, answers, scratch, delivery_events })
    }

    /// A packet of the server arrived.
    pub(super) fn handle_packet(&mut self, now: Instant, packet: &[u8]) -> Result<(), PacketError> {
        // Acks, heartbeats and the end are not.
        if self.events.is_full() && self.peer.header(packet).is_some_and(produces_event) {
            return Err(PacketError::Busy);
        }
        let now = self.now.max(now);
        match self.peer.handle_common(now, packet, &mut self.answers) {
            FastPathOutcome::Nothing => {
                self.now = now;
                self.drain_link_events();
            }
            FastPathOutcome::Reliable { id, start } => {
                self.now = now;
                self.drain_link_events();
                let (format, payload) = (self.peer.format(), Payload::from_bit(packet, start.into()));
                let message = Message::received(format, MessageSendMode::Reliable, Some(id), &payload);
                self.events.push_message(message);
            }
            FastPathOutcome::Other => {
                let arrived = self.peer.handle_packet(now, packet, &mut self.answers)?;
                self.now = now;
                self.drain_link_events();
                self.handle_arrived(arrived);
            }
        }
        Ok(())
    }

    fn handle_arrived(&mut self, arrived: Inbound<'_>) {
        match arrived {
            Inbound::Nothing | Inbound::Pending | Inbound::Connect { .. } | Inbound::Leave => {}
            Inbound::Unreliable { id, payload } => {
                self.received(MessageSendMode::Unreliable, Some(id), &payload);
            }
            Inbound::Reliable { id, payload } => {
                self.received(MessageSendMode::Reliable, Some(id), &payload);
            }
            Inbound::ExtensionFrame => {
                while let Some(CompleteMessage { message, .. }) = self.peer.poll_extended() {
                    let bytes = message.bytes_in_use();
                    self.events.push_extended(message, bytes);
                }
            }
            Inbound::Violation => {
                self.peer.send_leave(&mut self.out);
                self.end(Event::disconnected(DisconnectReason::TransportError));
            }
            Inbound::Notify { payload } => self.received(MessageSendMode::Notify, None, &payload),
            Inbound::Welcome { client_id } => self.on_welcome(client_id),
            Inbound::ClientConnected(id) => self.events.push_other(Event::ClientConnected { id }),
            Inbound::ClientDisconnected(id) => self.events.push_other(Event::ClientDisconnected { id }),
            Inbound::Reject { reason, data } => {
                let reason = RejectReason::from_number(self.peer.format(), reason);
                let data = if reason == RejectReason::Custom { self.data(&data) } else { None };
                self.end(Event::ConnectionFailed { reason, data });
            }
            Inbound::Disconnect { reason, data } => {
                let reason = DisconnectReason::from_number(self.peer.format(), reason);
                let data = if reason == DisconnectReason::Kicked { self.data(&data) } else { None };
                self.end(Event::Disconnected { reason, data });
            }
        }
    }

    fn received(&mut self, mode: MessageSendMode, id: Option<u16>, payload: &Payload<'_>) {
        let message = Message::received(self.peer.format(), mode, id, payload);
        self.events.push_message(message);
    }

    /// What the server's application has to say, if it is more than padding.
    fn data(&self, data: &Payload<'_>) -> Option<Message> {
        let is_some = data.bit_len() >= 8 || !data.is_zero();
        let mode = MessageSendMode::Unreliable;
        is_some.then(|| Message::received(self.peer.format(), mode, None, data))
    }

    fn on_welcome(&mut self, id: ClientId) {
        self.stage = ClientState::Connected(id);
        // Without room for it, which takes odd settings, the server will never hear of us.
        let _ = self.peer.send_welcome(self.now, id);
        self.peer.on_connected(self.now);
        self.peer.flush(self.now, &mut self.out);
        self.events.push_other(Event::Connected { id });
    }

    /// Tells what became of messages and of the connection.
    #[inline]
    fn drain_link_events(&mut self) {
        if self.peer.has_events() {
            self.emit_link_events();
        }
    }

    fn emit_link_events(&mut self) {
        while let Some(event) = self.peer.poll_event() {
            if matches!(event, link::Event::Closed(_)) {
                self.end(Event::of_link(event));
            } else if self.delivery_events {
                self.events.push_other(Event::of_link(event));
            }
        }
    }

    /// The end, once.
    pub(super) fn end(&mut self, event: Event) {
        if !matches!(self.stage, ClientState::Ended) {
            self.stage = ClientState::Ended;
            self.peer.link_mut().close();
            self.peer.drop_extension();
            self.events.push_other(event);
        }
    }

    /// Leaves the server, and tells it.
    pub(super) fn disconnect(&mut self) {
        if !matches!(self.stage, ClientState::Ended) {
            self.peer.flush(self.now, &mut self.out);
            self.peer.send_leave(&mut self.out);
            self.end(Event::disconnected(DisconnectReason::Disconnected));
        }
    }

    /// The transport is gone.
    pub(super) fn transport_failed(&mut self) {
        let event = match self.stage {
            ClientState::Connecting(_) => {
                Event::ConnectionFailed { reason: RejectReason::NoConnection, data: None }
            }
            ClientState::Connected(_) | ClientState::Ended => {
                Event::disconnected(DisconnectReason::TransportError)
            }
        };
        self.end(event);
    }

    pub(super) fn send(&mut self, message: &impl Sendable) -> Result<Option<u16>, SendError> {
        if !self.peer.is_connected() {
            return Err(SendError::NotConnected);
        }
        self.peer.send(self.now, message, &mut self.scratch, &mut self.out)
    }

    pub(super) fn send_ordered(&mut self, message: &impl Sendable) -> Result<u16, SendError> {
        if !self.peer.is_connected() {
            return Err(SendError::NotConnected);
        }
        self.peer.send_extended(self.now, true, message, &mut self.scratch)
    }

    pub(super) fn handle_timeout(&mut self, now: Instant) {
        self.now = self.now.max(now);
        if self.peer.handle_timeout(self.now, &mut self.out)
            && let ClientState::Connecting(question) = &self.stage
        {
            // It fits: that has been looked at.
            let _ = self.peer.send_connect(&question.data(), &mut self.out);
        }
        self.drain_link_events();
    }

    /// When to come again. What may be sent now is polled for anyway.
    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.peer.link().poll_timeout_after(self.now)
    }

    /// Lets `send` have all packets to send, as [`Core::poll_packet`] does one by one.
    #[inline]
    pub(super) fn poll_packets(&mut self, now: Instant, mut send: impl FnMut(&[u8])) {
        self.now = self.now.max(now);
        while self.out.pop_with(|_, packet| send(packet)).is_some() {}
        self.peer.send_due(self.now, &mut send);
        self.drain_link_events();
        while self.answers.pop_with(|_, packet| send(packet)).is_some() {}
    }

    /// Lets `take` have the next packet to send.
    pub(super) fn poll_packet<R>(&mut self, now: Instant, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        self.now = self.now.max(now);
        if !self.out.is_empty() {
            return self.out.pop_with(|_, packet| take(packet));
        }
        if let Some(packet) = self.peer.poll_packet(self.now) {
            return Some(take(packet));
        }
        self.drain_link_events();
        self.answers.pop_with(|_, packet| take(packet))
    }
}
