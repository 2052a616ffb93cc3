use gamewire_machine::Instant;

use super::ClientState;
use super::{Client, Event};
use crate::connection::Inbound;
use crate::extension::CompleteMessage;
use crate::link;
use crate::message::{Message, MessageSendMode};
use crate::shared::frame::FrameSplitter;
use crate::shared::packet::Leave;
use crate::shared::payload::Payload;
use crate::{ClientId, DisconnectReason, PacketError, RejectReason};

impl Client {
    /// Handles a packet of the server from any transport.
    ///
    /// # Errors
    /// [`PacketError`] if the packet is dropped. The client, including its clock, is unchanged.
    pub(super) fn receive_packet(&mut self, now: Instant, packet: &[u8]) -> Result<(), PacketError> {
        self.connection.check_event_queue(packet, &mut self.events)?;
        let now = self.clock.now().max(now);
        let received = self.connection.handle_packet(now, packet, &mut self.acks);
        if received.is_ok() {
            self.clock.advance(now);
            self.emit_link_events();
        }
        // The result is matched in place, because moving it costs more than handling a message.
        match received {
            Err(error) => return Err(error),
            Ok(Inbound::Nothing) => {}
            Ok(Inbound::Message(message)) => self.events.push(Event::MessageReceived { message }),
            Ok(inbound) => self.apply(inbound),
        }
        Ok(())
    }

    /// Handles all packets in the bytes of a stream. An invalid packet is dropped, like an invalid datagram.
    pub(super) fn receive_frames(&mut self, now: Instant, frames: &mut FrameSplitter, mut data: &[u8]) {
        while !self.is_ended() {
            match frames.next(&mut data) {
                Ok(Some(packet)) => {
                    self.receive_packet(now, packet).ok();
                }
                Ok(None) => return,
                // The start of the next packet is unknown.
                Err(_) => self.end_transport(),
            }
        }
    }

    #[cold]
    fn apply(&mut self, inbound: Inbound<'_>) {
        match inbound {
            Inbound::Nothing | Inbound::Pending | Inbound::Connect | Inbound::Leave => {}
            Inbound::Message(message) => self.events.push(Event::MessageReceived { message }),
            Inbound::ExtensionMessages => {
                while let Some(CompleteMessage { message, .. }) = self.connection.poll_extension_message() {
                    self.events.push(Event::MessageReceived { message });
                }
            }
            Inbound::Violation => {
                self.connection.send_unreliable(Leave::default(), &mut self.transmits).ok();
                self.end(Event::disconnected(DisconnectReason::TransportError));
            }
            Inbound::Welcome { client_id } => self.on_welcome(client_id),
            Inbound::ClientConnected(id) => self.events.push(Event::ClientConnected { id }),
            Inbound::ClientDisconnected(id) => self.events.push(Event::ClientDisconnected { id }),
            Inbound::Reject { reason, data } => {
                let reason = RejectReason::from_number(self.format(), reason);
                let data = if reason == RejectReason::Custom { self.user_data(&data) } else { None };
                self.end(Event::ConnectionFailed { reason, data });
            }
            Inbound::Disconnect { reason, data } => {
                let reason = DisconnectReason::from_number(self.format(), reason);
                let data = if reason == DisconnectReason::Kicked { self.user_data(&data) } else { None };
                self.end(Event::Disconnected { reason, data, exceeded: None });
            }
        }
    }

    /// Returns the user data of a Reject or Disconnect, unless they are only padding.
    fn user_data(&self, data: &Payload<'_>) -> Option<Message> {
        let has_data = data.bit_len() >= 8 || !data.is_zero();
        has_data.then(|| Message::received(self.format(), MessageSendMode::Unreliable, None, data))
    }

    fn on_welcome(&mut self, id: ClientId) {
        let now = self.clock.now();
        self.state = ClientState::Connected(id);
        // The send buffer is empty. If a configuration leaves no room for the echo, the handshake times out.
        self.connection.send_welcome(now, id).ok();
        self.connection.on_connected(now);
        self.connection.flush(now, &mut self.transmits);
        let lost = self.rejoin.as_mut().and_then(|rejoin| rejoin.lost.take());
        self.events.push(lost.map_or(Event::Connected { id }, |lost| lost.replaced_by(id)));
    }

    /// Emits the events of the link. Call it after every change to the connection.
    pub(super) fn emit_link_events(&mut self) {
        while let Some(event) = self.connection.poll_event() {
            match event {
                link::Event::Closed(link::CloseCause::NeverConnected) => {
                    self.end(Event::ConnectionFailed { reason: RejectReason::NoConnection, data: None });
                }
                link::Event::Closed(link::CloseCause::Exceeded(limit)) => {
                    let exceeded = Some(self.connection.link.exceeded(self.clock.now(), limit));
                    self.end(Event::Disconnected { reason: limit.reason(), data: None, exceeded });
                }
                link::Event::Delivery { seq_id, outcome } if self.delivery_events => {
                    self.events.push(Event::Delivery { seq_id, outcome });
                }
                link::Event::Delivery { .. } => {}
            }
        }
    }

    /// Handles the end of the transport. The last event follows, unless the connection is closed.
    pub(super) fn end_transport(&mut self) {
        self.end(match self.state {
            ClientState::Connecting(_) => {
                Event::ConnectionFailed { reason: RejectReason::NoConnection, data: None }
            }
            ClientState::Connected(_) | ClientState::Ended => {
                Event::disconnected(DisconnectReason::TransportError)
            }
        });
    }

    /// Closes the connection and emits the last event, once, unless the client joins again.
    pub(super) fn end(&mut self, event: Event) {
        let Some(event) = self.rejoin(event) else { return };
        self.state = ClientState::Ended;
        self.connection.link.close();
        self.connection.extension = None;
        self.events.close(event);
    }
}
