//! Those who ask for a connection.

use std::net::SocketAddr;

use super::connection::AdmissionState;
use super::{Event, Server, ServerPacketError};
use crate::message::{Message, MessageSendMode};
use crate::peer::{Peer, PeerConfig, connect_data, refuse};
use crate::shared::payload::Payload;
use crate::{ClientId, ConnectionId, DisconnectReason, Endpoint, Format, RejectReason, SendError};

/// The low half of the first byte of a question in 2.1, and all of it in 2.0.
const CONNECT_V21: u8 = 2;
const CONNECT_V20: u8 = 3;

/// The format that a first packet asks in. No packet names it, but either format would make
/// nothing of the other's question.
const fn format_of(packet: &[u8]) -> Option<Format> {
    match packet {
        [CONNECT_V20, ..] => Some(Format::V20),
        [first, ..] if *first & 0x0f == CONNECT_V21 => Some(Format::V21),
        _ => None,
    }
}

impl Server {
    /// A packet of somebody with whom there is no connection; a stream's format is known.
    #[cold]
    pub(super) fn handle_unconnected(
        &mut self,
        from: Endpoint,
        packet: &[u8],
    ) -> Result<(), ServerPacketError> {
        if !self.is_running {
            return Err(ServerPacketError::Stopped);
        }
        let (address, format) = match from {
            Endpoint::Udp(address) => (Some(address), None),
            Endpoint::Tcp(stream) => (self.streams.address(stream), self.streams.format(stream)),
            Endpoint::Other(_) => (None, None),
        };
        let unknown = crate::PacketError::UnknownAddress;
        let format = format.or_else(|| format_of(packet)).ok_or(unknown)?;
        if !self.config.formats.contains(&format) {
            return Err(ServerPacketError::Format(format));
        }
        let data = connect_data(format, packet, self.config.max_payload_size).ok_or(unknown)?;
        if self.events.is_full() {
            return Err(crate::PacketError::Busy.into());
        }
        if !self.half_open.has_room(address) {
            return Err(ServerPacketError::HalfOpen);
        }
        if !self.ids.has_free() {
            self.reject_unconnected(from, format);
            return Ok(());
        }
        let limits = PeerConfig {
            link: self.config.link(format),
            settings: self.config.unproven_settings(),
            max_payload_size: self.config.max_payload_size,
            is_gated: self.config.require_handshake,
            delivery_events: self.config.delivery_events,
            extension: self.config.extension,
        };
        let slot = self.connections.insert(Peer::client(format, from, &limits, self.now), address);
        self.half_open.add(address);
        if self.config.handle_connection {
            self.request_decision(slot, address, &data);
        } else {
            self.send_welcome(slot);
        }
        self.reschedule(slot);
        Ok(())
    }

    /// Leaves the decision to the application.
    fn request_decision(&mut self, slot: u32, address: Option<SocketAddr>, data: &Payload<'_>) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let (from, format) = (connection.endpoint(), connection.peer.format());
        connection.peer.send_pending(self.lanes.out(from));
        connection.stage = AdmissionState::AwaitingDecision { answers: 1 };
        let data = Message::received(format, MessageSendMode::Unreliable, None, data);
        let connection = connection.id;
        self.events.push_other(Event::ConnectionRequested { connection, from, address, format, data });
    }

    /// Gives an id, and sends the Welcome.
    fn send_welcome(&mut self, slot: u32) -> Option<ClientId> {
        let now = self.now;
        let connection = self.connections.get_mut(slot)?;
        let AdmissionState::AwaitingDecision { answers } = connection.stage else { return None };
        let client = self.ids.take()?;
        let answers =
            answers.saturating_add(self.config.link(connection.peer.format()).handshake_send_attempts);
        connection.peer.link_mut().accept(now);
        // There is room: it is the first message.
        connection.peer.send_welcome(now, client).ok();
        self.connections.accept(slot, client, answers);
        Some(client)
    }

    /// Somebody asks again: the answer was lost, or is late.
    pub(super) fn on_repeated_connect(&mut self, slot: u32) {
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot) else { return };
        let most = self.config.max_sends_before_echo.unwrap_or(u16::MAX);
        match &mut connection.stage {
            // One is kept for the Welcome.
            AdmissionState::AwaitingDecision { answers } if answers.saturating_add(1) < most => {
                *answers = answers.saturating_add(1);
                let from = connection.peer.endpoint();
                connection.peer.send_pending(self.lanes.out(from));
            }
            AdmissionState::AwaitingEcho { answers, .. } if *answers < most && !connection.is_dirty => {
                connection.peer.link_mut().retry_stalled(now);
                // Nothing comes of it while the last Welcome may still be on its way.
                let is_sent = connection.peer.poll_timeout().is_some_and(|wake| wake.at <= now);
                *answers = answers.saturating_add(is_sent.into());
            }
            _ => {}
        }
    }

    /// There is no room for somebody with whom there is no connection.
    fn reject_unconnected(&mut self, to: Endpoint, format: Format) {
        let Some(reason) = RejectReason::ServerFull.number(format) else { return };
        self.turned_away = self.turned_away.saturating_add(1);
        for _ in 0..self.reject_copies(to, format) {
            let most = self.config.max_payload_size;
            // Without data it is always short enough.
            refuse(format, to, reason, &Payload::EMPTY, most, self.lanes.out(to)).ok();
        }
        self.close(to);
    }

    /// How often a refusal is sent.
    fn reject_copies(&self, to: Endpoint, format: Format) -> u8 {
        match (to, format) {
            (Endpoint::Tcp(_), _) | (_, Format::V20) => 1,
            (_, Format::V21) => self.config.reject_copies.max(1),
        }
    }

    /// Lets somebody in who waits for it (`Accept`): gives the id. `None` when nobody waits with
    /// that number any more, or there is no room; then it was refused.
    pub fn accept(&mut self, connection: ConnectionId) -> Option<ClientId> {
        let slot = self.connections.requested(connection)?;
        let client = self.send_welcome(slot);
        if client.is_none() {
            self.reject_pending(slot, RejectReason::ServerFull, &Payload::EMPTY).ok();
        }
        self.reschedule(slot);
        client
    }

    /// Refuses somebody who waits (`Reject`), with something to say if `data` is given.
    ///
    /// # Errors
    /// When nobody waits with that number, or the data do not fit; then it waits on.
    pub fn reject(&mut self, connection: ConnectionId, data: Option<&Message>) -> Result<(), SendError> {
        let slot = self.connections.requested(connection).ok_or(SendError::NotConnected)?;
        let Some(data) = data else {
            return self.reject_pending(slot, RejectReason::Rejected, &Payload::EMPTY);
        };
        let format = self.connections.get(slot).ok_or(SendError::NotConnected)?.peer.format();
        let payload = data.payload(format)?;
        self.reject_pending(slot, RejectReason::Custom, &payload)
    }

    fn reject_pending(
        &mut self,
        slot: u32,
        reason: RejectReason,
        data: &Payload<'_>,
    ) -> Result<(), SendError> {
        let Some(connection) = self.connections.get(slot) else { return Err(SendError::NotConnected) };
        let (to, format) = (connection.endpoint(), connection.peer.format());
        let copies = self.reject_copies(to, format);
        let Some(connection) = self.connections.get_mut(slot) else { return Err(SendError::NotConnected) };
        let number = reason.number(format).unwrap_or_default();
        for _ in 0..copies {
            connection.peer.send_reject(number, data, self.lanes.out(to))?;
        }
        self.close_connection(slot, DisconnectReason::ConnectionRejected);
        Ok(())
    }
}
