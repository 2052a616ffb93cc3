use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Transmit, Wake};

use super::{Client, Event};
use crate::Endpoint;
use crate::peer::{PacketError, write_frame};

/// For transports of the application's own: they carry packets, in any order and with losses.
impl Client {
    /// A packet of the server arrived.
    ///
    /// # Errors
    /// The packet was dropped and the client is as if it had never come.
    pub fn handle_packet(&mut self, now: Instant, packet: &[u8]) -> Result<(), PacketError> {
        self.core.handle_packet(now, packet)
    }

    /// The next packet to send: it replaces what is in `buffer`. Whether there was one.
    pub fn poll_packet(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool {
        self.core
            .poll_packet(now, |packet| {
                buffer.clear();
                buffer.extend_from_slice(packet);
            })
            .is_some()
    }

    /// The transport will carry no more. The last event follows, unless it came before.
    pub fn handle_transport_end(&mut self) {
        self.core.transport_failed();
    }
}

impl Machine for Client {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.core.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.core.poll_timeout()
    }

    #[inline]
    fn poll_event(&mut self) -> Option<Event> {
        self.core.events.pop(|message| Event::MessageReceived { message })
    }

    #[inline]
    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if !self.server.is_some_and(|server| Endpoint::Udp(server).is(&Endpoint::Udp(from))) {
            return Err(PacketError::UnknownAddress);
        }
        self.core.handle_packet(now, data)
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let to = self.server?;
        self.poll_packet(now, buffer).then_some(Transmit { to })
    }

    #[inline]
    fn poll_transmits(&mut self, now: Instant, _: &mut Vec<u8>, mut send: impl FnMut(Transmit, &[u8])) {
        if let Some(to) = self.server {
            self.core.poll_packets(now, |packet| send(Transmit { to }, packet));
        }
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, _: SocketAddr) {
        self.stream = Some(stream);
    }

    /// A packet that is dropped leaves the stream open.
    fn handle_bytes(&mut self, now: Instant, stream: StreamId, mut data: &[u8]) {
        while self.stream == Some(stream) && !self.is_ended() {
            match self.frames.next(&mut data) {
                Ok(Some(packet)) => {
                    let _ = self.core.handle_packet(now, packet);
                }
                Ok(None) => return,
                // Nothing says where the next packet begins.
                Err(_) => self.core.transport_failed(),
            }
        }
    }

    fn handle_close(&mut self, _: Instant, stream: StreamId) {
        if self.stream == Some(stream) {
            self.stream = None;
            self.core.transport_failed();
        }
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        let stream = self.stream?;
        let format = self.format();
        if self.core.poll_packet(now, |packet| write_frame(format, packet, buffer)).is_some() {
            return Some(StreamOutput::Write(stream));
        }
        if self.is_ended() { self.stream.take().map(StreamOutput::Close) } else { None }
    }
}
