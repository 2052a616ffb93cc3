//! Connect requests, until the client has echoed the Welcome.

use std::net::SocketAddr;

use super::streams::FORMAT_PROBE_BYTES;
use super::{Event, Server};
use crate::connection::{
    Connection, ConnectionConfig, connect_data, send_unconnected_disconnect, send_unconnected_reject,
};
use crate::message::{Message, MessageSendMode};
use crate::shared::packet::Reject;
use crate::shared::payload::Payload;
use crate::{
    ClientId, DisconnectReason, Endpoint, Format, PacketError, RejectReason, SendError, ServerPacketError,
};

/// The low half of the first byte of a connect request in 2.1.
const CONNECT_V21: u8 = 2;
/// The first byte of a connect request in 2.0.
const CONNECT_V20: u8 = 3;

/// Returns the format of a connect request. No packet names its format, but a request in one format is not a request in
/// the other.
const fn detect_format(packet: &[u8]) -> Option<Format> {
    match packet {
        [CONNECT_V20, ..] => Some(Format::V20),
        [first, ..] if *first & 0x0f == CONNECT_V21 => Some(Format::V21),
        _ => None,
    }
}

/// Returns the format of a client's heartbeat. In the other format, no packet of a client has these bytes.
const fn detect_heartbeat(packet: &[u8]) -> Option<Format> {
    match packet {
        [5, _, _, _] => Some(Format::V20),
        // 28 bits, and padding.
        [first, _, _, last] if *first & 0x0f == 4 && *last <= 0x0f => Some(Format::V21),
        _ => None,
    }
}

/// Returns the format that the first bytes of a stream reveal; `None` if it has neither.
pub(super) const fn detect_stream_format([_, _, third]: [u8; FORMAT_PROBE_BYTES]) -> Option<Format> {
    match third {
        0 => Some(Format::V21),
        CONNECT_V20 => Some(Format::V20),
        _ => None,
    }
}

impl Server {
    /// Handles a packet from an endpoint without a connection.
    #[cold]
    pub(super) fn receive_unconnected(
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
            Endpoint::Record(session) => (self.record_address(session), None),
            Endpoint::Other(_) => (None, None),
        };
        if let (Endpoint::Udp(_) | Endpoint::Record(_), Some(format)) = (from, detect_heartbeat(packet))
            && self.config.disconnect_unknown
            && let Some(reason) = DisconnectReason::TimedOut.number(format)
        {
            send_unconnected_disconnect(format, from, reason, self.queues.packets(from));
            return Ok(());
        }
        let format = format.or_else(|| detect_format(packet)).ok_or(PacketError::UnknownAddress)?;
        if !self.config.formats.contains(&format) {
            return Err(ServerPacketError::Format(format));
        }
        let data = connect_data(format, packet, self.config.max_payload_size);
        let data = data.ok_or(PacketError::UnknownAddress)?;
        if self.events.is_full() {
            return Err(PacketError::Busy.into());
        }
        if !self.accepts_clients {
            self.rejected_closed.increment();
            self.reject_unconnected(from, format, RejectReason::Rejected);
            return Ok(());
        }
        if self.client_count() >= usize::from(self.max_client_count()) {
            self.rejected_full.increment();
            self.reject_unconnected(from, format, RejectReason::ServerFull);
            return Ok(());
        }
        if !self.half_open.has_room_for(address) || !self.has_place(from, address) && !self.displace() {
            return Err(ServerPacketError::HalfOpen);
        }
        let connection = Connection::server(format, from, &self.connection_config(format), self.clock.now());
        let slot = self.peers.insert(connection, address);
        self.half_open.add(address);
        if self.config.handle_connection {
            self.request_decision(slot, &data);
        } else {
            self.send_welcome(slot, None);
        }
        self.update_peer(slot);
        Ok(())
    }

    /// Returns whether there is a place for a new connection. If half-open connections hold the other places, the
    /// request is dropped instead of rejected, and the client repeats it. The limit for the share of one address does
    /// not apply to streams and records, because their addresses are not forged.
    fn has_place(&self, from: Endpoint, address: Option<SocketAddr>) -> bool {
        let places = usize::from(self.max_client_count()).saturating_sub(self.client_count());
        let is_decided_later = self.config.handle_connection;
        let is_proven = matches!(from, Endpoint::Tcp(_) | Endpoint::Record(_));
        let has_share = is_decided_later || is_proven || self.half_open.has_share(address, places);
        self.half_open.has_room() && has_share && self.peers.has_free_id()
    }

    /// Closes the oldest half-open connection, if it has had enough time for its handshake. Returns whether there was
    /// one.
    fn displace(&mut self) -> bool {
        let peers = &self.peers;
        let slot = self.half_open.displace(self.clock.now(), |slot, id| peers.is_half_open(slot, id));
        if let Some(slot) = slot {
            self.close_peer(slot, DisconnectReason::TimedOut);
        }
        slot.is_some()
    }

    fn connection_config(&self, format: Format) -> ConnectionConfig {
        ConnectionConfig {
            link: self.config.link(format),
            settings: self.config.handshake_settings(),
            max_payload_size: self.config.max_payload_size,
            requires_handshake: self.config.require_handshake,
            delivery_events: self.config.delivery_events,
            extension: self.config.extension,
        }
    }

    /// Asks the application to decide.
    fn request_decision(&mut self, slot: usize, data: &Payload<'_>) {
        let Some(peer) = self.peers.get_mut(slot) else { return };
        let (from, format) = (peer.endpoint(), peer.connection.format);
        peer.request_decision(self.queues.packets(from));
        let data = Message::received(format, MessageSendMode::Unreliable, None, data);
        let (connection, address) = (peer.id, peer.address);
        self.events.push(Event::ConnectionRequested { connection, from, address, format, data });
    }

    /// Allocates a client id and sends the Welcome. Returns `None` if no id is free, or the wanted one is not.
    pub(super) fn send_welcome(&mut self, slot: usize, wanted: Option<ClientId>) -> Option<ClientId> {
        if wanted.is_none() && !self.peers.has_free_id() {
            self.displace();
        }
        let (now, client) = (self.clock.now(), self.peers.allocate_id(slot, wanted)?);
        let peer = self.peers.get_mut(slot)?;
        peer.accept(now, client, &self.config);
        let id = peer.id;
        let peers = &self.peers;
        self.half_open.accept(now, slot, id, |slot, id| peers.is_half_open(slot, id));
        Some(client)
    }

    /// Rejects a connect request without data.
    fn reject_unconnected(&mut self, to: Endpoint, format: Format, reason: RejectReason) {
        let Some(reason) = reason.number(format) else { return };
        for _ in 0..self.reject_copies(to, format) {
            send_unconnected_reject(format, to, reason, self.queues.packets(to));
        }
        self.close_transport(to);
    }

    /// Rejects a peer and removes it.
    ///
    /// # Errors
    /// [`SendError::NotConnected`] if there is no such peer, [`SendError::TooLong`] if the data do not fit. The peer is
    /// kept.
    pub(super) fn reject_pending(
        &mut self,
        slot: usize,
        reason: RejectReason,
        data: &Payload<'_>,
    ) -> Result<(), SendError> {
        let peer = self.peers.get(slot).ok_or(SendError::NotConnected)?;
        let (to, format) = (peer.endpoint(), peer.connection.format);
        let copies = self.reject_copies(to, format);
        let peer = self.peers.get_mut(slot).ok_or(SendError::NotConnected)?;
        let number = reason.number(format).unwrap_or_default();
        for _ in 0..copies {
            peer.connection
                .send_unreliable(Reject { reason: number, data: *data }, self.queues.packets(to))?;
        }
        self.close_peer(slot, DisconnectReason::ConnectionRejected);
        Ok(())
    }

    /// Returns the number of copies of a Reject to send.
    fn reject_copies(&self, to: Endpoint, format: Format) -> u8 {
        match (to, format) {
            (Endpoint::Tcp(_), _) | (_, Format::V20) => 1,
            (_, Format::V21) => self.config.reject_copies.max(1),
        }
    }
}
