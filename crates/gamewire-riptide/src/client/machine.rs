use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::ClientState;
use super::{Client, Event};
use crate::shared::frame;
use crate::shared::packet::Connect;
use crate::{PacketError, PacketMachine};

impl Machine for Client {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        if let Some(records) = self.records.as_mut().filter(|_| !self.connection.link.is_ended()) {
            records.handle_timeout(now);
        }
        if self.connection.handle_timeout(now, &mut self.transmits) && self.may_request() {
            self.request_connection();
        }
        self.emit_link_events();
    }

    /// A packet that is due already needs no timer, because drivers poll for packets after every call.
    fn poll_timeout(&self) -> Option<Wake> {
        let connection = self.connection.link.poll_timeout_after(self.clock.now());
        let records = self.records.as_ref().filter(|_| !self.is_ended());
        Wake::earliest([connection, records.and_then(|records| records.poll_timeout())])
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if self.records.is_some() {
            return self.receive_record(now, from, data);
        }
        if self.server != Some(from) && !self.alternatives.contains(&from) {
            return Err(PacketError::UnknownAddress);
        }
        self.receive_packet(now, data)?;
        if !self.alternatives.is_empty() {
            self.server = Some(from);
            self.alternatives.clear();
        }
        Ok(())
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let to = self.datagram_server()?;
        if self.records.is_some() {
            let mut transmit = None;
            self.poll_record(now, |to, datagram| {
                buffer.clear();
                buffer.extend_from_slice(datagram);
                transmit = Some(to);
            });
            return transmit;
        }
        self.poll_packet(now, buffer).map(|()| Transmit { to })
    }

    fn poll_transmits(&mut self, now: Instant, _: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8])) {
        let Some(to) = self.datagram_server() else { return };
        while self.records.is_some() && self.poll_record(now, &mut send) {}
        while self.records.is_none()
            && self.poll_packet_with(now, |packet| send(Transmit { to }, packet)).is_some()
        {}
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, _: SocketAddr) {
        // No program opens another stream.
        self.rejoin = None;
        self.stream = Some(stream);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        if self.stream != Some(stream) {
            return;
        }
        if let Some(mut socket) = self.websocket.take() {
            self.receive_websocket(now, &mut socket, data);
            self.websocket = Some(socket);
        } else if let Some(mut frames) = self.frames.take() {
            self.receive_frames(now, &mut frames, data);
            self.frames = Some(frames);
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        if self.stream == Some(stream) {
            self.stream = None;
            self.end_transport();
        }
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let stream = self.stream?;
        if let Some(mut socket) = self.websocket.take() {
            let output = self.poll_websocket(now, stream, &mut socket, buffer);
            self.websocket = Some(socket);
            return output;
        }
        let format = self.format();
        if self.poll_packet_with(now, |packet| frame::append(format, packet, buffer)).is_some() {
            return Some(StreamOutput::Write(stream));
        }
        if self.is_ended() { self.stream.take().map(StreamOutput::Close) } else { None }
    }
}

impl PacketMachine for Client {
    type Peer = ();

    fn handle_packet(&mut self, now: Instant, (): (), packet: &[u8]) -> Result<(), PacketError> {
        self.receive_packet(now, packet)
    }

    fn handle_transport_end(&mut self, _: Instant, (): ()) {
        self.end_transport();
    }

    fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<()> {
        self.poll_packet_with(now, |packet: &[u8]| {
            buffer.clear();
            buffer.extend_from_slice(packet);
        })
    }

    fn poll_close(&mut self) -> Option<()> {
        None
    }
}

impl Client {
    /// Returns the server if packets leave as datagrams, not over a stream.
    fn datagram_server(&self) -> Option<SocketAddr> {
        self.server.filter(|_| self.stream.is_none())
    }

    /// Returns whether a connect request may be sent now. A request waits until the WebSocket or the encrypted session
    /// is open.
    pub(super) fn may_request(&mut self) -> bool {
        self.websocket.as_mut().is_none_or(|socket| socket.may_request())
            && self.records.as_mut().is_none_or(|records| records.may_request())
    }

    /// Sends a connect request, to the next of the server's addresses if there are several.
    pub(super) fn request_connection(&mut self) {
        let ClientState::Connecting(request) = &self.state else { return };
        if core::mem::replace(&mut self.has_requested, true)
            && let Some(next) = self.alternatives.pop_front()
        {
            self.alternatives.extend(self.server.replace(next));
        }
        // `Client::new` checked that the data fit.
        self.connection.send_unreliable(Connect { data: request.data() }, &mut self.transmits).ok();
    }

    /// Calls `take` with the next packet to send.
    pub(super) fn poll_packet_with<R>(&mut self, now: Instant, take: impl FnOnce(&[u8]) -> R) -> Option<R> {
        let now = self.clock.advance(now);
        if !self.transmits.is_empty() {
            return self.transmits.pop_with(|_, packet| take(packet));
        }
        if let Some(packet) = self.connection.poll_packet(now) {
            return Some(take(packet));
        }
        self.emit_link_events();
        self.acks.pop_with(|_, packet| take(packet))
    }
}
