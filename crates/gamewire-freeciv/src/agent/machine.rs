use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::Agent;
use super::event::Event;

impl Machine for Agent {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.player.handle_timeout(now);
        self.drain_player();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.player.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.player.handle_open(now, stream, peer);
        self.drain_player();
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.player.handle_bytes(now, stream, data);
        self.drain_player();
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.player.handle_close(now, stream);
        self.drain_player();
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.player.poll_stream(now, buffer)
    }
}
