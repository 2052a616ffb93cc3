//! The server as a machine on each of its transports.

use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::half_open::limit_key;
use super::queues::TransportKind;
use super::transmit::copy_to;
use super::{Event, Server};
use crate::{DisconnectReason, Endpoint, PacketError, PacketMachine, ServerPacketError};

impl Machine for Server {
    type Event = Event;
    type DatagramError = ServerPacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        while let Some(slot) = self.timers.pop_due(now) {
            if let Some(peer) = self.peers.get_mut(slot) {
                // A server's link sends nothing on a tick. The next poll returns the packets that are due.
                peer.connection.link.handle_timeout(now);
                self.apply_effects(slot);
                self.mark_dirty(slot);
            }
        }
        self.broadcast_disconnects();
        while let Some(stream) = self.streams.pop_due(now) {
            self.close_transport(Endpoint::Tcp(stream));
        }
        self.handle_record_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let records = self.records.as_ref().and_then(|records| records.poll_timeout());
        Wake::earliest([self.timers.next(), self.streams.next_timer(), records])
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        data: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.clock.advance(now);
        match self.receive_record(from, data) {
            Some(received) => received,
            None => self.receive_packet(Endpoint::Udp(from), data),
        }
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.clock.advance(now);
        if self.records.is_some() {
            return self.poll_with_records(buffer);
        }
        match self.poll_queue(TransportKind::Datagrams, copy_to(buffer))? {
            Endpoint::Udp(to) => Some(Transmit { to }),
            Endpoint::Tcp(_) | Endpoint::Record(_) | Endpoint::Other(_) => None,
        }
    }

    fn poll_transmits(&mut self, now: Instant, _: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8])) {
        self.clock.advance(now);
        let mut records = self.records.take();
        if let Some(records) = &mut records {
            records.poll_transmits(&mut send);
        }
        let mut send_packet = |to, packet: &[u8]| match (to, &mut records) {
            (Endpoint::Udp(to), _) => send(Transmit { to }, packet),
            (Endpoint::Record(session), Some(records)) => records.seal(session, packet, &mut send),
            _ => {}
        };
        while self.poll_queue(TransportKind::Datagrams, &mut send_packet).is_some() {}
        self.records = records;
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr) {
        let now = self.clock.advance(now);
        if self.streams.contains(stream) {
            return;
        }
        let (max, max_per_ip) = (self.config.max_half_open, self.config.max_half_open_per_ip);
        let replaced = self.streams.replaced_by(from, max, max_per_ip);
        let replaced_from = replaced.and_then(|stream| self.streams.address(stream));
        let is_same_address = replaced_from.is_some_and(|known| limit_key(known) == limit_key(from));
        let has_room = self.half_open.has_room() || replaced.is_some();
        let has_room_for = self.half_open.has_room_for(Some(from)) || is_same_address;
        // A stream that is refused must not close another one.
        if self.is_running && has_room && has_room_for {
            if let Some(replaced) = replaced {
                self.close_transport(Endpoint::Tcp(replaced));
            }
            self.half_open.add_stream(from);
            self.streams.open(stream, from, now + self.config.stream_connect_timeout);
        } else {
            self.streams.refuse(stream, from);
            self.queues.of(TransportKind::Streams).closing.push_back(Endpoint::Tcp(stream));
        }
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.clock.advance(now);
        self.receive_bytes(stream, data);
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.clock.advance(now);
        if self.streams.is_half_open(stream) {
            self.half_open.remove_stream(self.streams.address(stream));
        }
        if self.streams.remove(stream)
            && let Some(slot) = self.peers.find(&Endpoint::Tcp(stream))
        {
            self.close_peer(slot, DisconnectReason::TransportError);
        }
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.clock.advance(now);
        let mut packet = core::mem::take(&mut self.packet);
        let output = self.poll_stream_output(&mut packet, buffer);
        self.packet = packet;
        output
    }
}

/// Packets over the application's own transports. Give each peer a unique number in [`Endpoint::Other`].
impl PacketMachine for Server {
    type Peer = Endpoint;

    fn handle_packet(
        &mut self,
        now: Instant,
        from: Endpoint,
        packet: &[u8],
    ) -> Result<(), ServerPacketError> {
        self.clock.advance(now);
        match from {
            Endpoint::Udp(_) | Endpoint::Other(_) => self.receive_packet(from, packet),
            // A stream carries bytes, and a record arrives as a datagram.
            Endpoint::Tcp(_) | Endpoint::Record(_) => Err(PacketError::UnknownAddress.into()),
        }
    }

    fn handle_transport_end(&mut self, now: Instant, endpoint: Endpoint) {
        self.clock.advance(now);
        if let Some(slot) = self.peers.find(&endpoint) {
            self.close_peer(slot, DisconnectReason::TransportError);
        }
    }

    fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Endpoint> {
        self.clock.advance(now);
        self.poll_queue(TransportKind::Others, copy_to(buffer))
    }

    /// The server keeps at most the last 65,536 endpoints; a further connect request from one of them is a new connection.
    fn poll_close(&mut self) -> Option<Endpoint> {
        self.queues.of(TransportKind::Others).closing.pop_front()
    }
}
