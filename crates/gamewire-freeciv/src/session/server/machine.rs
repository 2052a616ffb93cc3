use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::{Event, Server};

impl Machine for Server {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.clock.advance(now);
        self.fire_timers();
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.timers.next()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr) {
        self.clock.advance(now);
        self.on_open(stream, from);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.clock.advance(now);
        self.on_bytes(stream, data);
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.clock.advance(now);
        self.on_close(stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.clock.advance(now);
        self.poll_ready(buffer)
    }
}
