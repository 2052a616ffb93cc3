//! What those say with whom there is a connection.

use super::connection::AdmissionState;
use super::{Event, Server, ServerPacketError};
use crate::message::{Message, MessageSendMode};
use crate::peer::{FastPathOutcome, Inbound};
use crate::shared::header::Header;
use crate::shared::payload::Payload;
use crate::{ClientId, DisconnectReason, Endpoint};

impl Server {
    /// A packet arrived, over whichever transport.
    ///
    /// This and what it does for nearly all packets is one function: calls would take as long as what
    /// they do.
    #[inline(never)]
    pub(super) fn receive_packet(&mut self, from: &Endpoint, packet: &[u8]) -> Result<(), ServerPacketError> {
        let Some(slot) = self.connections.find(from) else { return self.handle_unconnected(*from, packet) };
        let (now, is_crowded) = (self.now, self.events.is_full());
        let Some(connection) = self.connections.get_mut(slot) else {
            return Err(crate::PacketError::UnknownAddress.into());
        };
        let client = match connection.stage {
            AdmissionState::Connected { client } if !is_crowded => client,
            _ => return self.receive_unestablished(slot, packet, is_crowded),
        };
        match connection.peer.handle_common(now, packet, self.lanes.answers(*from)) {
            FastPathOutcome::Nothing => {}
            FastPathOutcome::Reliable { id, start } => {
                let (format, payload) = (connection.peer.format(), Payload::from_bit(packet, start.into()));
                if self.config.relay_filter.should_relay(id) {
                    self.message(slot, format, MessageSendMode::Reliable, Some(id), &payload);
                } else {
                    let message = Message::received(format, MessageSendMode::Reliable, Some(id), &payload);
                    self.events.push_message((client, message));
                }
            }
            FastPathOutcome::Other => return self.receive_other(slot, packet),
        }
        self.after_receive(slot);
        Ok(())
    }

    /// A client was heard that is to be asked for packets: packets of one client come together, so
    /// that what its timer is to be is worked out once for all of them.
    #[inline]
    fn after_receive(&mut self, slot: u32) {
        if self.connections.get(slot).is_none_or(|it| !it.is_dirty || it.peer.has_events()) {
            self.mark_dirty(slot);
            self.reschedule(slot);
        }
    }

    /// The connection is not established, or the application does not take its events.
    #[cold]
    fn receive_unestablished(
        &mut self,
        slot: u32,
        packet: &[u8],
        is_crowded: bool,
    ) -> Result<(), ServerPacketError> {
        self.check_allowed(slot, packet, is_crowded)?;
        self.receive_other(slot, packet)
    }

    /// Whether such a packet of a connection that is not established is handled; or any, when the
    /// application does not take its events.
    fn check_allowed(&self, slot: u32, packet: &[u8], is_crowded: bool) -> Result<(), ServerPacketError> {
        let Some(connection) = self.connections.get(slot) else { return Ok(()) };
        let header = connection.peer.header(packet);
        // Acks and heartbeats still count: one client must not cut off the others.
        if is_crowded && matches!(header, Some(Header::Unreliable | Header::Reliable | Header::Notify)) {
            return Err(crate::PacketError::Busy.into());
        }
        // Nothing is relayed for who has not answered; what is reliable comes again if it is not
        // acknowledged.
        if header == Some(Header::Reliable)
            && self.config.relay_filter.is_used()
            && !connection.is_connected()
        {
            return Err(crate::PacketError::NotConnected.into());
        }
        // Before it was accepted a client has nothing else to say.
        if matches!(connection.stage, AdmissionState::AwaitingDecision { .. })
            && !matches!(header, Some(Header::Connect | Header::Disconnect))
        {
            return Err(crate::PacketError::NotConnected.into());
        }
        Ok(())
    }

    #[cold]
    fn receive_other(&mut self, slot: u32, packet: &[u8]) -> Result<(), ServerPacketError> {
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return Ok(()) };
        let (endpoint, format) = (connection.endpoint(), connection.peer.format());
        let arrived = connection.peer.handle_packet(now, packet, self.lanes.answers(endpoint))?;
        match arrived {
            Inbound::Unreliable { id, payload } => {
                self.message(slot, format, MessageSendMode::Unreliable, Some(id), &payload);
            }
            Inbound::Reliable { id, payload } => {
                self.message(slot, format, MessageSendMode::Reliable, Some(id), &payload);
            }
            Inbound::Notify { payload } => {
                self.message(slot, format, MessageSendMode::Notify, None, &payload);
            }
            Inbound::ExtensionFrame => self.extended(slot),
            Inbound::Violation => {
                self.send_disconnect(slot, DisconnectReason::TransportError, &Payload::EMPTY).ok();
                self.close_connection(slot, DisconnectReason::TransportError);
            }
            Inbound::Connect { .. } => self.on_repeated_connect(slot),
            Inbound::Welcome { client_id } => self.on_welcome_echo(slot, client_id),
            Inbound::Leave => self.close_connection(slot, DisconnectReason::Disconnected),
            // Only servers send these.
            Inbound::Nothing
            | Inbound::Pending
            | Inbound::Reject { .. }
            | Inbound::Disconnect { .. }
            | Inbound::ClientConnected(_)
            | Inbound::ClientDisconnected(_) => {}
        }
        self.reschedule(slot);
        Ok(())
    }

    /// The Welcome came back: from now on this is a client.
    fn on_welcome_echo(&mut self, slot: u32, echoed: ClientId) {
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let AdmissionState::AwaitingEcho { client, .. } = connection.stage else { return };
        if echoed != client {
            // The original goes on; but who answers so has not seen what it was sent.
            self.close_connection(slot, DisconnectReason::TransportError);
            return;
        }
        connection.peer.link_mut().handle_welcome_echo(now);
        connection.peer.link_mut().set_settings(now, self.config.settings);
        connection.peer.on_connected(now);
        let (id, from, address) = (connection.id, connection.endpoint(), connection.address);
        let format = connection.peer.format();
        self.half_open.remove(address);
        if self.config.announce_clients {
            self.each_connected(|server, slot| {
                server.announce(slot, |peer, now| peer.send_client_connected(now, client));
            });
        }
        self.connections.connect(slot, client);
        self.events.push_other(Event::ClientConnected { client, connection: id, from, address, format });
    }
}
