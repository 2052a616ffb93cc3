use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, Transmit, Wake};

use super::{Event, GameLogic, Server};
use crate::link::PacketError;

impl<G: GameLogic> Machine for Server<G> {
    type Event = Event;
    type DatagramError = PacketError;

    fn handle_timeout(&mut self, now: Instant) {
        self.state.peers.clock.advance(now);
        self.state.handle_peer_timeouts();
        self.state.play(&mut self.game);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let tick = Wake { at: self.state.ticks.next_start(), reason: "tick" };
        Wake::earliest([self.state.peers.poll_timeout(), Some(tick)])
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.state.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_datagram(&mut self, now: Instant, from: SocketAddr, data: &[u8]) -> Result<(), PacketError> {
        self.state.peers.clock.advance(now);
        match self.state.peers.slot(from) {
            Some(slot) => self.on_peer_datagram(slot, data),
            None => self.on_unconnected_datagram(from, data),
        }
    }

    fn poll_transmit(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.state.peers.clock.advance(now);
        self.state.peers.transmits.pop(buffer).map(|to| Transmit { to })
    }
}
