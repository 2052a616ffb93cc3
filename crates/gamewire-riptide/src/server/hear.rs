//! What those say with whom there is a connection.

use super::connection::Stage;
use super::{Event, Reject, Server};
use crate::message::{Message, MessageSendMode};
use crate::peer::{Arrived, Common};
use crate::shared::header::Header;
use crate::shared::payload::Payload;
use crate::{ClientId, DisconnectReason, Endpoint};

impl Server {
    /// A packet arrived, over whichever transport.
    ///
    /// This and what it does for nearly all packets is one function: calls would take as long as what
    /// they do.
    #[inline(never)]
    pub(super) fn hear(&mut self, from: &Endpoint, packet: &[u8]) -> Result<(), Reject> {
        let Some(slot) = self.connections.find(from) else { return self.admit(*from, packet) };
        let (now, is_crowded) = (self.now, self.events.is_full());
        let Some(connection) = self.connections.get_mut(slot) else {
            return Err(crate::Reject::UnknownAddress.into());
        };
        let client = match connection.stage {
            Stage::Connected { client } if !is_crowded => client,
            _ => return self.hear_unready(slot, packet, is_crowded),
        };
        match connection.peer.handle_common(now, packet, self.lanes.answers(*from)) {
            Common::Nothing => {}
            Common::Reliable { id, start } => {
                let (format, payload) = (connection.peer.format(), Payload::behind(packet, start.into()));
                if self.config.relay_filter.should_relay(id) {
                    self.message(slot, format, MessageSendMode::Reliable, Some(id), &payload);
                } else {
                    let message = Message::received(format, MessageSendMode::Reliable, Some(id), &payload);
                    self.events.push_message((client, message));
                }
            }
            Common::Other => return self.hear_any(slot, packet),
        }
        self.heard(slot);
        Ok(())
    }

    /// A client was heard that is to be asked for packets: packets of one client come together, so
    /// that what its timer is to be is worked out once for all of them.
    #[inline]
    fn heard(&mut self, slot: u32) {
        if self.connections.get(slot).is_none_or(|it| !it.is_dirty || it.peer.has_events()) {
            self.soil(slot);
            self.settle(slot);
        }
    }

    /// The connection is not established, or the application does not take its events.
    #[cold]
    fn hear_unready(&mut self, slot: u32, packet: &[u8], is_crowded: bool) -> Result<(), Reject> {
        self.may_say(slot, packet, is_crowded)?;
        self.hear_any(slot, packet)
    }

    /// Whether such a packet of a connection that is not established is handled; or any, when the
    /// application does not take its events.
    fn may_say(&self, slot: u32, packet: &[u8], is_crowded: bool) -> Result<(), Reject> {
        let Some(connection) = self.connections.get(slot) else { return Ok(()) };
        let header = connection.peer.header(packet);
        // Acks and heartbeats still count: one client must not cut off the others.
        if is_crowded && matches!(header, Some(Header::Unreliable | Header::Reliable | Header::Notify)) {
            return Err(crate::Reject::Busy.into());
        }
        // Nothing is relayed for who has not answered; what is reliable comes again if it is not
        // acknowledged.
        if header == Some(Header::Reliable)
            && self.config.relay_filter.is_used()
            && !connection.is_connected()
        {
            return Err(crate::Reject::NotConnected.into());
        }
        // Before it was accepted a client has nothing else to say.
        if matches!(connection.stage, Stage::Requested { .. })
            && !matches!(header, Some(Header::Connect | Header::Disconnect))
        {
            return Err(crate::Reject::NotConnected.into());
        }
        Ok(())
    }

    #[cold]
    fn hear_any(&mut self, slot: u32, packet: &[u8]) -> Result<(), Reject> {
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return Ok(()) };
        let (endpoint, format) = (connection.endpoint(), connection.peer.format());
        let arrived = connection.peer.handle_packet(now, packet, self.lanes.answers(endpoint))?;
        match arrived {
            Arrived::Unreliable { id, payload } => {
                self.message(slot, format, MessageSendMode::Unreliable, Some(id), &payload);
            }
            Arrived::Reliable { id, payload } => {
                self.message(slot, format, MessageSendMode::Reliable, Some(id), &payload);
            }
            Arrived::Notify { payload } => {
                self.message(slot, format, MessageSendMode::Notify, None, &payload);
            }
            Arrived::Extended => self.extended(slot),
            Arrived::Violation => {
                self.say_goodbye(slot, DisconnectReason::TransportError, &Payload::EMPTY).ok();
                self.part(slot, DisconnectReason::TransportError);
            }
            Arrived::Connect { .. } => self.asked_again(slot),
            Arrived::Welcome { client_id } => self.answered(slot, client_id),
            Arrived::Leave => self.part(slot, DisconnectReason::Disconnected),
            // Only servers send these.
            Arrived::Nothing
            | Arrived::Pending
            | Arrived::Reject { .. }
            | Arrived::Disconnect { .. }
            | Arrived::ClientConnected(_)
            | Arrived::ClientDisconnected(_) => {}
        }
        self.settle(slot);
        Ok(())
    }

    /// The Welcome came back: from now on this is a client.
    fn answered(&mut self, slot: u32, echoed: ClientId) {
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let Stage::Accepted { client, .. } = connection.stage else { return };
        if echoed != client {
            // The original goes on; but who answers so has not seen what it was sent.
            self.part(slot, DisconnectReason::TransportError);
            return;
        }
        connection.peer.link_mut().handle_welcome_echo(now);
        connection.peer.link_mut().set_settings(now, self.config.settings);
        connection.peer.established(now);
        let (id, from, address) = (connection.id, connection.endpoint(), connection.address);
        let format = connection.peer.format();
        self.half_open.leave(address);
        if self.config.announce_clients {
            self.each_connected(|server, slot| {
                server.announce(slot, |peer, now| peer.send_client_connected(now, client));
            });
        }
        self.connections.connect(slot, client);
        self.events.push_other(Event::ClientConnected { client, connection: id, from, address, format });
    }
}
