use core::convert::Infallible;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};

use super::event::Event;
use super::player::Player;
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
        let event = self.own.events.pop_front();
        if event.is_some() {
            return event;
        }
        while let Some(event) = self.client.poll_event() {
            if let ClientEvent::Closed(reason) = event {
                return Some(Event::Closed(reason));
            }
        }
        None
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.client.handle_open(now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, _: StreamId, data: &[u8]) {
        let Self { client, own, .. } = self;
        // The event that follows has the reason.
        let _ = client.handle_bytes_with(now, data, |event| own.on_event(event));
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.client.handle_close(now, stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.client.poll_stream(now, buffer)
    }
}
