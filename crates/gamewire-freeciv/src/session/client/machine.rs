use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::{Client, Event};

impl Machine for Client {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.session.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.session.state.wake()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.session.events.pop()
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, _: SocketAddr) {
        self.session.clock.advance(now);
        self.stream = Some(stream);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        if self.stream == Some(stream) {
            self.receive_bytes(now, data);
        }
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        if self.stream == Some(stream) {
            self.stream = None;
            self.session.on_end(now, self.input.splitter.pending_bytes() > 0);
        }
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.session.clock.advance(now);
        let stream = self.stream?;
        if self.session.queue.poll(buffer) {
            return Some(StreamOutput::Write(stream));
        }
        if self.phase().is_none() { self.stream.take().map(StreamOutput::Close) } else { None }
    }
}
