use std::net::SocketAddr;

use gamewire_machine::{Datagram, Instant, Machine, Stream, Transmit, Wake};
use gamewire_wire::CodecError;
use thiserror::Error;

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
}

impl Datagram for Client {
    type DatagramError = PacketError;

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
}

/// Why a stream cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StreamError {
    /// No packet has such a length, so that nothing says where the next one begins.
    #[error(transparent)]
    Frame(#[from] CodecError),
    /// The connection is over.
    #[error("the connection is over")]
    Closed,
}

impl Stream for Client {
    type Error = StreamError;

    /// Packets that are dropped leave the stream as it is.
    fn handle_bytes(&mut self, now: Instant, mut data: &[u8]) -> Result<(), StreamError> {
        loop {
            if self.is_ended() {
                return Err(StreamError::Closed);
            }
            match self.frames.next(&mut data) {
                Ok(Some(packet)) => {
                    let _ = self.core.handle_packet(now, packet);
                }
                Ok(None) => return Ok(()),
                Err(error) => {
                    self.core.transport_failed();
                    return Err(error.into());
                }
            }
        }
    }

    fn handle_eof(&mut self, _: Instant) {
        self.core.transport_failed();
    }

    fn poll_write(&mut self, now: Instant, buffer: &mut Vec<u8>) -> bool {
        let format = self.format();
        self.core.poll_packet(now, |packet| write_frame(format, packet, buffer)).is_some()
    }
}
