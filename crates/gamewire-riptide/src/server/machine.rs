//! The server as a machine, on each of its transports.

use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::lanes::TransportKind;
use super::{Event, Server, ServerPacketError};
use crate::{DisconnectReason, Endpoint};

impl Machine for Server {
    type Event = Event;
    type DatagramError = ServerPacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.advance_clock(now);
        while let Some((wake, slot)) = self.connections.timers.first()
            && wake.at <= now
        {
            self.connections.timers.set(slot, None);
            if let Some(connection) = self.connections.get_mut(slot) {
                // What it has to send for it is asked for later; a server's end has no clock.
                connection.peer.link_mut().handle_timeout(now);
                self.drain_link_events(slot);
                self.mark_dirty(slot);
            }
        }
        self.broadcast_disconnects();
        while let Some((wake, stream)) = self.streams.first()
            && wake.at <= now
        {
            self.close(Endpoint::Tcp(stream));
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let timer = self.connections.timers.first().map(|(wake, _)| wake);
        let stream = self.streams.first().map(|(wake, _)| wake);
        timer.into_iter().chain(stream).min_by_key(|wake| wake.at)
    }

    #[inline]
    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop(|(client, message)| Event::MessageReceived { client, message })
    }

    #[inline]
    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.advance_clock(now);
        self.receive_packet(&Endpoint::Udp(from), data)
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.advance_clock(now);
        match self.poll_queue(TransportKind::Datagrams, buffer)? {
            Endpoint::Udp(to) => Some(Transmit { to }),
            Endpoint::Tcp(_) | Endpoint::Other(_) => None,
        }
    }

    #[inline]
    fn poll_transmits(&mut self, now: Instant, _: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8])) {
        self.advance_clock(now);
        self.drain_queue(TransportKind::Datagrams, |to, packet| {
            if let Endpoint::Udp(to) = to {
                send(Transmit { to }, packet);
            }
        });
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr) {
        let now = self.advance_clock(now);
        if self.streams.contains(stream) {
            return;
        }
        if self.is_running && self.half_open.has_room(Some(from)) {
            self.half_open.add(Some(from));
            self.streams.open(stream, from, now + self.config.stream_connect_timeout);
        } else {
            self.streams.refuse(stream, from);
            self.lanes.of(TransportKind::Streams).closing.push_back(Endpoint::Tcp(stream));
        }
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.advance_clock(now);
        let mut data = data;
        if self.streams.is_silent(stream) && !self.detect_format(stream, &mut data) {
            return;
        }
        let Some(mut frames) = self.streams.take_frames(stream) else { return };
        if self.receive_frames(stream, &mut frames, data) {
            self.streams.put_frames(stream, frames);
        }
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.advance_clock(now);
        if self.streams.is_half_open(stream) {
            self.half_open.remove(self.streams.address(stream));
        }
        if self.streams.remove(stream)
            && let Some(slot) = self.connections.find(&Endpoint::Tcp(stream))
        {
            self.close_connection(slot, DisconnectReason::TransportError);
        }
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.advance_clock(now);
        let mut packet = core::mem::take(&mut self.packet);
        let output = self.poll_stream_into(&mut packet, buffer);
        self.packet = packet;
        output
    }
}

/// Transports of the application's own: Steam's relays, web sockets, anything that carries packets.
/// Give each peer a number of its own in [`Endpoint::Other`].
impl Server {
    /// A packet arrived.
    ///
    /// # Errors
    /// The packet was dropped and the server is as if it had never come.
    pub fn handle_packet(
        &mut self,
        now: Instant,
        from: Endpoint,
        packet: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.advance_clock(now);
        match from {
            Endpoint::Udp(_) | Endpoint::Other(_) => self.receive_packet(&from, packet),
            // Streams have bytes, not packets.
            Endpoint::Tcp(_) => Err(crate::PacketError::UnknownAddress.into()),
        }
    }

    /// A peer of the application's own transport is gone.
    pub fn handle_transport_end(&mut self, now: Instant, endpoint: Endpoint) {
        self.advance_clock(now);
        if let Some(slot) = self.connections.find(&endpoint) {
            self.close_connection(slot, DisconnectReason::TransportError);
        }
    }

    /// The next packet for the application's own transport, which replaces what is in `buffer`,
    /// and where it goes.
    pub fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Endpoint> {
        self.advance_clock(now);
        self.poll_queue(TransportKind::Others, buffer)
    }

    /// Whom the application's own transport has nothing more to carry to, now that all packets were
    /// polled. A peer that asks again is new. At most the last 65536 are kept.
    pub fn poll_close(&mut self) -> Option<Endpoint> {
        self.lanes.of(TransportKind::Others).closing.pop_front()
    }
}
