use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::event::Event;
use super::player::Player;
use crate::packets::PlayerPhaseDone;
use crate::session::client::Event as ClientEvent;

impl Machine for Player {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.client.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.client.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.state.events.pop().or_else(|| match self.client.poll_event() {
            Some(ClientEvent::Closed(reason)) => Some(Event::Closed(reason)),
            _ => None,
        })
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.client.handle_open(now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        if self.client.stream == Some(stream) {
            let Self { client, state } = self;
            // The closing event also contains the error.
            let _ = client.handle_bytes_with(now, data, |incoming| state.receive(incoming));
            if let Some(turn) = state.turn_to_end_again.take() {
                // If it cannot be sent, the session is closed or its queue is full. The server ignores it after this turn.
                let _ = client.send(&PlayerPhaseDone { turn });
            }
        }
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.client.handle_close(now, stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.client.poll_stream(now, buffer)
    }
}
