use gamewire_machine::StreamId;

use super::accept::detect_stream_format;
use super::peer::Effect;
use super::{Event, Server};
use crate::shared::packet::ClientConnected;
use crate::{ClientId, DisconnectReason, Endpoint, PacketError, ServerPacketError};

impl Server {
    /// Splits the bytes of a stream into packets and handles them.
    pub(super) fn receive_bytes(&mut self, stream: StreamId, mut data: &[u8]) {
        if let Some(start) = self.streams.take_start(stream, &mut data) {
            match detect_stream_format(start).filter(|format| self.config.formats.contains(format)) {
                Some(format) => self.streams.set_format(stream, format, self.config.max_size(format)),
                None if self.is_upgrade(start) => self.streams.set_upgrading(stream),
                None => return self.close_transport(Endpoint::Tcp(stream)),
            }
            self.receive_framed(stream, &start);
        }
        self.receive_framed(stream, data);
    }

    fn receive_framed(&mut self, stream: StreamId, mut data: &[u8]) {
        self.receive_upgrade(stream, &mut data);
        if self.streams.is_websocket(stream) {
            self.receive_websocket(stream, data);
        } else {
            self.receive_frames(stream, data);
        }
    }

    /// Handles all packets in `data`.
    fn receive_frames(&mut self, stream: StreamId, mut data: &[u8]) {
        let Some(mut frames) = self.streams.frames(stream).and_then(Option::take) else { return };
        while let Ok(packet) = frames.next(&mut data) {
            let Some(packet) = packet else {
                if let Some(place) = self.streams.frames(stream) {
                    *place = Some(frames);
                }
                return;
            };
            if self.receive_stream_packet(stream, packet).is_err() {
                break;
            }
            if !self.streams.is_open(stream) {
                return;
            }
        }
        self.end_stream(stream);
    }

    /// Handles a packet of a stream. A packet that the connection rejects is dropped, as for datagrams.
    ///
    /// # Errors
    /// The first packet of the stream was rejected. The caller must close the stream.
    pub(super) fn receive_stream_packet(
        &mut self,
        stream: StreamId,
        packet: &[u8],
    ) -> Result<(), ServerPacketError> {
        let is_first = self.streams.is_half_open(stream);
        if is_first {
            // From here on the connection counts as half open, not the stream.
            self.half_open.remove_stream(self.streams.address(stream));
            self.streams.clear_deadline(stream);
        }
        let received = self.receive_packet(Endpoint::Tcp(stream), packet);
        if is_first { received } else { Ok(()) }
    }

    /// Closes a stream after an invalid frame.
    pub(super) fn end_stream(&mut self, stream: StreamId) {
        let from = Endpoint::Tcp(stream);
        match self.peers.find(&from) {
            Some(slot) => self.close_peer(slot, DisconnectReason::TransportError),
            None => self.close_transport(from),
        }
    }

    /// Handles a packet from any transport, and counts it if it is dropped.
    pub(super) fn receive_packet(&mut self, from: Endpoint, packet: &[u8]) -> Result<(), ServerPacketError> {
        let received = self.route_packet(from, packet);
        if let Err(error) = &received {
            self.packet_errors.count(error);
        }
        received
    }

    /// Routes a packet to its peer, and applies the effect.
    #[inline]
    fn route_packet(&mut self, from: Endpoint, packet: &[u8]) -> Result<(), ServerPacketError> {
        let Some(slot) = self.peers.find(&from) else { return self.receive_unconnected(from, packet) };
        let Some(peer) = self.peers.get_mut(slot) else { return Err(PacketError::UnknownAddress.into()) };
        peer.connection.check_event_queue(packet, &mut self.events)?;
        let now = self.clock.now();
        if peer.relay_limiter.is_exhausted(now) && peer.connection.is_new_message(packet) {
            // Send no ack, so that the client resends the message.
            self.relay_deferred.increment();
            return Err(PacketError::Busy.into());
        }
        match peer.receive(now, packet, &self.config, self.queues.of(from.into())) {
            Err(error) => return Err(error.into()),
            Ok(Effect::Message(client, message)) => self.on_message(slot, client, message, false),
            Ok(Effect::Nothing) => {}
            Ok(effect) => self.apply(slot, effect),
        }
        self.update_peer(slot);
        Ok(())
    }

    /// Applies the effects of the link's events. The caller broadcasts disconnects.
    pub(super) fn apply_effects(&mut self, slot: usize) {
        while let Some(peer) = self.peers.get_mut(slot)
            && let Some(effect) = peer.poll_effect(&self.config)
        {
            self.apply(slot, effect);
        }
    }

    #[cold]
    fn apply(&mut self, slot: usize, effect: Effect) {
        match effect {
            Effect::Nothing => {}
            Effect::Message(client, message) => self.on_message(slot, client, message, false),
            Effect::ExtensionMessages => self.on_extension_messages(slot),
            Effect::Delivery(client, seq_id, outcome) => {
                self.events.push(Event::Delivery { client, seq_id, outcome });
            }
            Effect::Connect(client) => self.on_connected(slot, client),
            Effect::Close(reason) => self.remove_peer(slot, reason, None),
            Effect::Exceed(limit) => self.remove_peer(slot, limit.reason(), Some(limit)),
        }
    }

    /// Announces a client that echoed the Welcome.
    fn on_connected(&mut self, slot: usize, client: ClientId) {
        let Some(peer) = self.peers.get(slot) else { return };
        let (connection, from, address) = (peer.id, peer.endpoint(), peer.address);
        let format = peer.connection.format;
        self.half_open.remove(address);
        self.peers.count_connected();
        if self.config.announce_clients {
            self.for_each_connected(|server, other| {
                if other != slot {
                    let notice = ClientConnected { client_id: client.0, ..ClientConnected::default() };
                    server.announce(other, |seq_id| ClientConnected { seq_id, ..notice }.into());
                }
            });
        }
        self.events.push(Event::ClientConnected { client, connection, from, address, format });
    }
}
