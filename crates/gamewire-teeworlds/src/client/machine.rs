use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, Transmit, Wake};

use super::ClientState;
use super::context::Context;
use super::{Client, Event};
use crate::link::PacketError;

impl Machine for Client {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        let now = self.shared.clock.advance(now);
        let result = match &mut self.state {
            ClientState::Connecting(connecting) => connecting.handle_timeout(now),
            ClientState::Online(online, state) => {
                let result = online.link.handle_timeout(now);
                if result.is_ok() {
                    state.handle_timeout(&mut Context { shared: &mut self.shared, online });
                    // A message was queued just now, and the flush timer of the link may already be due.
                    online.flush();
                }
                result
            }
            ClientState::Closed => Ok(()),
        };
        if let Err(reason) = result {
            self.close(reason);
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        match &self.state {
            ClientState::Connecting(connecting) => connecting.poll_timeout(),
            ClientState::Online(online, state) => {
                Wake::earliest([online.link.poll_timeout(), state.poll_timeout(&self.shared, online)])
            }
            ClientState::Closed => None,
        }
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.shared.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        if from != self.server {
            return Err(PacketError::UnknownAddress);
        }
        match self.state {
            ClientState::Connecting(_) => self.on_handshake_datagram(now, data),
            ClientState::Online(..) => self.on_datagram(now, data),
            ClientState::Closed => Err(PacketError::Closed),
        }
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let now = self.shared.clock.advance(now);
        if let Some(to) = self.transmits.pop(buffer) {
            return Some(Transmit { to });
        }
        match &mut self.state {
            ClientState::Connecting(connecting) => connecting.poll_transmit(buffer),
            ClientState::Online(online, _) => {
                online.link.advance(now);
                online.flush();
                online.link.poll_transmit(buffer)
            }
            ClientState::Closed => None,
        }
    }
}
